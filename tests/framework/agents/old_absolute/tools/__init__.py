"""A package within an agent."""
