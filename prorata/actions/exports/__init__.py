"""Actions that export files for other programs."""
