"""The API of events and webhooks."""
