"""The composition of outgoing messages about invoices and accounts."""
