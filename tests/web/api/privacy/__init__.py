"""Tests of the API for a person's data."""
