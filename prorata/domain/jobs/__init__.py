"""The rules of background jobs."""
