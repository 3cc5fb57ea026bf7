"""Clients of the API for other programs: their generator, and hand-written code."""
