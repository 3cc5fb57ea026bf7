"""SQL statements for bulk changes of invoices."""
