"""A person's data: what it is found by, and what stands in its place."""
