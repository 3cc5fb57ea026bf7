"""Changes to many invoices at once: the actions."""
