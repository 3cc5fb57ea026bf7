"""Formats of files for other programs, and evidence packs."""
