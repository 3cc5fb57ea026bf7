"""SQL statements for share rules, split methods, and the division of bill lines."""
