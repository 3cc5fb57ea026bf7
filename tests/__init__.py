"""Tests, in folders by the ring of the program that they test.

The folder `house` tests the source code itself.
"""
