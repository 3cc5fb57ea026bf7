"""Invoices on their way to tenants: sent, handed over, reminded, asked about: the statements."""
