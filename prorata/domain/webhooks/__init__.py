"""The rules of events and of the webhooks that receive them."""
