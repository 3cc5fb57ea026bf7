"""Recalculation of a property's months: the actions."""
