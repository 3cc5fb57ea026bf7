"""Payment providers, the links they make, and what they report: the outside things."""
