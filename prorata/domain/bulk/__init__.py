"""Bulk changes to invoices: the rules."""
