"""Printed invoices: the actions."""
