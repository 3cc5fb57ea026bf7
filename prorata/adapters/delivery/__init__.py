"""The composing of outgoing messages about invoices and accounts."""
