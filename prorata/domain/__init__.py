"""The business rules, as functions that compute values from values.

They use only the standard library, and no clock, randomness or I/O.
"""
