"""Actions that recalculate a property's months."""
