"""Adapters of the libraries that typeset and join invoices."""
