"""Files for other programs: the pages."""
