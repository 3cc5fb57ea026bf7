"""The rules about the code, and tests which prove that each rule finds offenses.

A rule is a function from sources to a list of offenses.
"""
