"""Nothing here is a test: these are agents, which need the stand-ins to be imported at all."""

collect_ignore_glob = ["*.py"]
