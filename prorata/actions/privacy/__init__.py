"""A person's data: its export and erasure."""
