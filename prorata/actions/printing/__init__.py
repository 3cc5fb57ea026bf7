"""Actions that print invoices."""
