"""Background work: `rounds.py` repeats it; the other modules are kinds of jobs, and their runner."""
