"""Libraries and formats for files for other programs."""
