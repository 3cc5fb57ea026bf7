"""The rules of invoices, their ledgers and balances."""
