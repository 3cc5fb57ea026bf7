"""Adapters: one file for each outside thing, such as a format, server or library."""
