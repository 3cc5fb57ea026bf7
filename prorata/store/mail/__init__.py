"""Mail that goes out: the statements."""
