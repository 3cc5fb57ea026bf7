"""The rules about money: values in, values out.

They use only the standard library, and no clock, randomness or I/O.
"""
