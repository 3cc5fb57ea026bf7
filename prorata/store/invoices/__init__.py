"""SQL statements for invoices: their data, lists of them, and searches."""
