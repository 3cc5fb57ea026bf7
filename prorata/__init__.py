"""Prorata: utility bills in, fair and explained tenant invoices out."""

__version__ = "1.0.0"
