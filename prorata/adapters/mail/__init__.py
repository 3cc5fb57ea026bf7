"""Libraries and servers for outgoing mail."""
