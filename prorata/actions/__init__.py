"""The actions: each loads, asks the domain and saves.

One request or job step is one action in one transaction.
"""
