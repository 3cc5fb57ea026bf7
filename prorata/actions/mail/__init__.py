"""Actions on outgoing mail."""
