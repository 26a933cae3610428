"""The compiled loop of an engine.

rule  an earlier system's rule that finds some of the bombs
"""
