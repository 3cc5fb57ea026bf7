"""Background jobs: the rules."""
