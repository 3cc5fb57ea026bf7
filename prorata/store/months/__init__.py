"""SQL statements for a property's months: review, month runs and parallel runs."""
