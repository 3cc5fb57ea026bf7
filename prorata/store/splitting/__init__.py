"""Share rules, split methods, and how a bill line is divided: the statements."""
