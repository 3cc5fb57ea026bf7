"""Actions, each of which loads records, applies the domain's rules and saves the results.

One request or job step is one action in one transaction.
"""
