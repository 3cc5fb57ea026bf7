"""Tests of the API for messages to and from tenants."""
