"""Utility bills, their lines and flags: the rules."""
