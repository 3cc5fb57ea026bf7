"""The audit log: the actions."""
