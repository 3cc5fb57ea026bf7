"""Files for other programs: the statements."""
