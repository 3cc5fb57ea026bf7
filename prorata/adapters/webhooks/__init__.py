"""The outgoing side of events: posting them to webhooks."""
