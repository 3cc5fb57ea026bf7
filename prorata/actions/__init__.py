"""Actions, each of which loads records, applies the domain's rules and saves the results.

An API request, a dashboard request or a step of a job is one action in one transaction.
"""
