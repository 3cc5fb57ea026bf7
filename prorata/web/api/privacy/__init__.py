"""A person's data: the operations."""
