"""Mail that brings bills: the actions."""
