"""Invoices as they are printed: the outside things."""
