"""Readers of files from strangers, which run in child processes, and writers of files."""
