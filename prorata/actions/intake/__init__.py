"""Actions on files that bring bills: reading, drafting, confirming and importing them."""
