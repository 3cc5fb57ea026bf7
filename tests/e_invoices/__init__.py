"""E-invoices that tests make, and a program that reads those of folders elsewhere."""
