"""The API of months."""
