"""Clients of the API for other programs: their generator, and their hand-written code."""
