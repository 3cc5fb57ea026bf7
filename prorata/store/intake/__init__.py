"""SQL statements for reading, drafting, confirming and importing files with bills."""
