"""SQL statements for share rules, split methods, and stored explanations."""
