"""Files for other programs: the actions."""
