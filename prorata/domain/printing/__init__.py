"""The rules of printed invoices."""
