"""Background jobs: the pages."""
