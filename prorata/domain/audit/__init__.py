"""The audit log: the rules."""
