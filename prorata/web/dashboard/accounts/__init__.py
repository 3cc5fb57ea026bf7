"""Accounts, their members, API keys and sign-in: the pages."""
