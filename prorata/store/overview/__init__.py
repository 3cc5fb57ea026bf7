"""SQL statements for the overview, and for checks of all stored data."""
