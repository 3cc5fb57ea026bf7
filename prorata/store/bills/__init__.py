"""SQL statements for utility bills, their lines and flags."""
