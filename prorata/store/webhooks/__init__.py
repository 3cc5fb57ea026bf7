"""SQL statements for events and the programs that receive them."""
