"""A person's data: where it stands, and erasures."""
