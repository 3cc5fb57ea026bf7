"""The audit log: the statements."""
