"""A person's data: exported and erased."""
