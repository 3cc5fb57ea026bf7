"""Actions on share rules, split methods and the splitting of bill lines."""
