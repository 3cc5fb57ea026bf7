"""Share rules, split methods, and how bill lines are split: the actions."""
