"""A person's data: the words that identify the person, and the replacement of these words."""
