"""SQL statements for charge files, which other programs import."""
