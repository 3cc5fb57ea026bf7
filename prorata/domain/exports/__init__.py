"""The rules of files for other programs."""
