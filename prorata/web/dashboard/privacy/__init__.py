"""The dashboard's pages for a person's data."""
