"""SQL statements for outgoing mail."""
