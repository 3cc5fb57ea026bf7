"""Mail that brings bills: the rules."""
