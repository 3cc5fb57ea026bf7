"""Benchmarks of Prorata, common alternatives and the limits: `make bench`."""
