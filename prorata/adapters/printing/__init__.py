"""Adapters for the libraries that typeset and join invoices."""
