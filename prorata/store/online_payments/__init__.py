"""SQL statements for payment providers, their links, and their reports."""
