"""Actions for the overview, and checks of all stored data."""
