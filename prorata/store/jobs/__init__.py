"""Background jobs: the statements."""
