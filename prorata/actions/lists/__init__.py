"""The common parts of all lists: searches, page cursors and form tokens."""
