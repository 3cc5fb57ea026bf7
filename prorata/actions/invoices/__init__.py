"""Invoices: where each stands, and what follows from that: the actions."""
