"""Mutation testing of the money core: its tests must notice small faults."""
