"""Background work: `rounds.py` repeats it; the other modules define kinds of jobs and run them."""
