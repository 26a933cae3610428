"""An agent without the class that makes it one."""
