"""E-invoices: their sums, the amounts of their lines, and their drafts."""
