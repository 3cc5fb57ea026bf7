"""The API of splitting."""
