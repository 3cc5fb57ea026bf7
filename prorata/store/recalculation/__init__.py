"""SQL statements for the recalculation of a property's months."""
