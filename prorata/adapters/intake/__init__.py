"""Files that bring bills: read, drafted, confirmed, imported: the outside things."""
