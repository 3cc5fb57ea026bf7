"""SQL statements for accounts, their members, API keys and sign-in."""
