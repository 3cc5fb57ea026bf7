"""Invoices as they are printed: their rows."""
