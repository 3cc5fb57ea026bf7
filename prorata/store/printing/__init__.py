"""SQL statements for the content of printed invoices."""
