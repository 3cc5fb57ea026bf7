"""Files that bring bills: read, drafted, confirmed, imported: the actions."""
