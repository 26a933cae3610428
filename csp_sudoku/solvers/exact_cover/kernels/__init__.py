"""The compiled loop of Algorithm X.

dancing_links  the links, and the search on them
"""
