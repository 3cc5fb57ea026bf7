"""SQL statements for a property's months: checks, lists of months, and month runs."""
