"""Share rules, split methods and the division of bill lines."""
