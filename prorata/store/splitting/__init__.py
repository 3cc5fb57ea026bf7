"""SQL statements for share rules, split methods, and the splitting of bill lines."""
