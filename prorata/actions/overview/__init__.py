"""The overview, and checks of all stored data: the actions."""
