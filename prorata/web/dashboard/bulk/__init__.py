"""The dashboard's pages for bulk changes of invoices."""
