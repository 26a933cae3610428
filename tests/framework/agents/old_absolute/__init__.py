"""An agent's folder may be a package of its own."""
