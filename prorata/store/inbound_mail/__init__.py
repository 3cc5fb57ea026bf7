"""Mail that brings bills: the statements."""
