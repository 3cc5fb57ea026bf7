"""The rules of received payments: each invoice's ledger, and bank files."""
