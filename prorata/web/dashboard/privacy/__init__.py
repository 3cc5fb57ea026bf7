"""A person's data: the pages."""
