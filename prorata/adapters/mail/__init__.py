"""Mail that goes out: the outside things."""
