"""Nothing here is a test: these are players, most of which one would not want to meet."""

collect_ignore_glob = ["*.py"]
