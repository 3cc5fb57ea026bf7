"""Tests of files that are exported."""
