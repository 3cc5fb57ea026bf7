"""What is printed beside invoices: the pages of the dashboard."""
