"""SQL statements for recalculating a property's months: their invoices and corrections."""
