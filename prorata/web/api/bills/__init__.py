"""The API of bills."""
