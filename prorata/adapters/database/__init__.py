"""Backups, locks, and atomically written files."""
