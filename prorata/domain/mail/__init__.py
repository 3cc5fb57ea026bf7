"""Outgoing mail: the rules."""
