"""The API of a person's data."""
