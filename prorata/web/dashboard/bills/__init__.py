"""Utility bills, their lines and flags: the pages."""
