"""Invoices, their ledgers and balances: the rules."""
