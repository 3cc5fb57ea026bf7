"""Adapters, one file for each outside thing: a file format, a server, a library."""
