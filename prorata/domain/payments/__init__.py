"""Received payments: each invoice's ledger, and bank files: the rules."""
