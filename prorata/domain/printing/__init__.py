"""Printed invoices: the rules."""
