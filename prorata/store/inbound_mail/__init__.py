"""SQL statements for incoming mail that contains bills."""
