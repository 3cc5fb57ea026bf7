"""Tests of the API for changing many records at once."""
