"""Readers of bills in PDFs, pictures and e-invoices."""
