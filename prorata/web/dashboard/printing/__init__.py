"""Printed documents besides invoices: the dashboard's pages for them."""
