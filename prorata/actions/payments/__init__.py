"""Actions on money received: the ledger of each invoice, and bank files."""
