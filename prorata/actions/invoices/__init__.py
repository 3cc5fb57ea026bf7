"""Invoices, their statuses and the effects of changes: the actions."""
