"""The dashboard's pages for the overview, and checks of all stored data."""
