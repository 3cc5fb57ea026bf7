"""The rules of outgoing mail."""
