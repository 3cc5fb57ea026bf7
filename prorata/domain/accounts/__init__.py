"""The rules of accounts, their members, API keys and sign-in."""
