"""The API of audit."""
