"""The API of jobs."""
