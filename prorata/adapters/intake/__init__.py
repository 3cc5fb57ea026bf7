"""Libraries and formats for files that bring bills: read, drafted, confirmed, imported."""
