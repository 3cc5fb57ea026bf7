"""E-invoices: reading their XML, checking their sums, and drafting a bill."""
