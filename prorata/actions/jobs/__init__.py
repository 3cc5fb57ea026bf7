"""Background jobs: the actions."""
