"""Tests of the API of a person's data."""
