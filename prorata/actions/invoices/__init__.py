"""Actions on invoices and their statuses, with the effects of each change."""
