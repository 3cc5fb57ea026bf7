"""What all lists share: searches, page cursors, form tokens."""
