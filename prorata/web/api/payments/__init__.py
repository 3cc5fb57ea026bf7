"""The API of payments."""
