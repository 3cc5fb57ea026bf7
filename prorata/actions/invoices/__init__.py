"""Invoices, their state and its effects: the actions."""
