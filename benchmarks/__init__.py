"""Benchmarks of Prorata beside the usual alternatives and the limits: `make bench`."""
