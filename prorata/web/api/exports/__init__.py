"""The API of exported files."""
