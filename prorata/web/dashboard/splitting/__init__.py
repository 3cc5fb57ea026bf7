"""The dashboard's pages for share rules, split methods, and the division of bill lines."""
