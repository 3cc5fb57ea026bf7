"""SQL statements for invoices: their status, and the effects of a status change."""
