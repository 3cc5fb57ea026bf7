"""Tests of the API for files that are made for other people and programs."""
