"""Outgoing mail: the actions."""
