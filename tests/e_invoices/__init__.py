"""E-invoices for tests, and a program that reads e-invoices in folders elsewhere."""
