"""Mail that brings bills: the outside things."""
