"""Invoices as they are printed: the rules."""
