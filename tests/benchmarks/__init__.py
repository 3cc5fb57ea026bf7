"""The basis of the figures of `make bench`.

It comprises turns, medians and ratios, goals, tables, and the output of wrk and pgbench.
"""
