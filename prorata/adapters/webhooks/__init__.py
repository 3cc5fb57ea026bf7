"""The outside side of events: posting them to webhooks."""
