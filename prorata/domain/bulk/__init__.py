"""Bulk changes of invoices: the rules."""
