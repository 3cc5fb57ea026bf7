"""The sending of events to webhook endpoints."""
