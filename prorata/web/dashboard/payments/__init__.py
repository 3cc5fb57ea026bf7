"""The dashboard's pages for received money: invoices' ledgers and bank files."""
