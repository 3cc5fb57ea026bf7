"""SQL statements for the audit log."""
