"""What the figures of `make bench` rest on: turns, medians and ratios, goals, tables, and what wrk and pgbench say."""
