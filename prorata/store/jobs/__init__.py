"""SQL statements for background jobs."""
