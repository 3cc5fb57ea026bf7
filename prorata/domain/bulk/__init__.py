"""The rules of bulk changes to invoices."""
