"""Libraries for printed invoices."""
