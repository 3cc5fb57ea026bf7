"""Money received: each invoice's ledger, and bank files: the pages."""
