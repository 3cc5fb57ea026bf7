"""The dashboard's pages for accounts, members, API keys and sign-in."""
