"""Actions on background jobs."""
