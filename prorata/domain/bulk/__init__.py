"""Changes of many invoices at once: the rules."""
