"""Mail that goes out: the actions."""
