"""Tests of the API of what tenants get and say."""
