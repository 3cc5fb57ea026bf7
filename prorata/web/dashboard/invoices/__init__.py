"""The dashboard's pages for invoices and their status."""
