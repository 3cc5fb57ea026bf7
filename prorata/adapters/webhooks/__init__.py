"""The HTTP client that sends events to webhook endpoints."""
