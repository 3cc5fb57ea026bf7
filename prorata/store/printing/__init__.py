"""Rows of printed invoices."""
