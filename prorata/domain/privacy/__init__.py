"""A person's data: the words that identify it, and their replacement."""
