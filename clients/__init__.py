"""Clients of the API, for other programs: their generator, and what is written by hand around what it makes."""
