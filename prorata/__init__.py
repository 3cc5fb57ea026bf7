"""Prorata: utility bills in, fair and explained tenant invoices out."""

__version__ = "0.1.0"
