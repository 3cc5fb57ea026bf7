"""Background work: `rounds.py` does it again and again; beside it stand the kinds of jobs and what runs them."""
