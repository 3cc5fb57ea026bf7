"""SQL statements for files that bring bills: read, drafted, confirmed, imported."""
