"""The dashboard's pages for background jobs."""
