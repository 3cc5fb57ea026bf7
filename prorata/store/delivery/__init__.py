"""SQL statements for delivery: invoices sent, handed over, reminded and asked about."""
