"""Mail that goes out: the rules."""
