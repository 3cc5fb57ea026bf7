"""Tests of how `make bench` computes its figures.

They cover turns, medians and ratios, goals, tables, and the output of wrk and pgbench.
"""
