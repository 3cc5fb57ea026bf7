"""SQL statements for mail that brings bills."""
