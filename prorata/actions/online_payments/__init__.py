"""Payment providers, their links, and their reports: the actions."""
