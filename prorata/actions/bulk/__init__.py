"""Actions that change many invoices at once."""
