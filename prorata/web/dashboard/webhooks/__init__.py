"""The dashboard's pages for events and webhooks."""
