"""The API of properties."""
