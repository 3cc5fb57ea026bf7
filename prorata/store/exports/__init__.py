"""SQL statements for files for other programs."""
