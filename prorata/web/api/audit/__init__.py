"""The API of the audit log."""
