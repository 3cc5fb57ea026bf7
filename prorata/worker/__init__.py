"""The background work, which `rounds.py` runs again and again.

The other modules define kinds of jobs and run them.
"""
