"""SQL statements for money received: invoices' ledgers, and bank statements."""
