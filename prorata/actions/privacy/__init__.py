"""Actions that export and erase a person's data."""
