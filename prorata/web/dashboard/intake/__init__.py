"""The dashboard's pages for bill files: read, drafted, confirmed, imported."""
