"""Invoices, their state and its consequences: the actions."""
