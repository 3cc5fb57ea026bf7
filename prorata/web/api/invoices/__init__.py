"""The API of invoices."""
