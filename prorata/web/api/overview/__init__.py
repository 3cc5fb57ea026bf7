"""The API of overview."""
