"""The API of changes of many invoices."""
