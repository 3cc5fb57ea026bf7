"""Actions on events and their delivery to programs."""
