"""The rules of share rules, split methods and the division of bill lines."""
