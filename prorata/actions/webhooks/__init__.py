"""Events, and their delivery to programs: the actions."""
