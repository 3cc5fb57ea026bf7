"""Prorata turns utility bills into fair and explained tenant invoices."""

__version__ = "1.0.0"
