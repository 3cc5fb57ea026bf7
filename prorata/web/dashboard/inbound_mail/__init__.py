"""Mail that brings bills: the pages."""
