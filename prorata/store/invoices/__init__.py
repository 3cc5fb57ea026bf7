"""SQL statements for invoices: their status, and what follows from it."""
