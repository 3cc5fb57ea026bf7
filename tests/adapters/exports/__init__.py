"""Files that are handed out."""
