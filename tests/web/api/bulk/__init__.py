"""Tests of the API of changes of many invoices."""
