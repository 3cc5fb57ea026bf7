"""Actions on accounts, their members, API keys and sign-in."""
