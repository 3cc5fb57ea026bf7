"""Files for other programs: the rules."""
