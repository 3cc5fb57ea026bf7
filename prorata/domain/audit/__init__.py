"""The rules of the audit log."""
