"""Share rules, split methods, and the splitting of bill lines: the actions."""
