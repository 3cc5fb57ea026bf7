"""Invoices as they are printed: the actions."""
