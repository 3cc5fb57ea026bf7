"""Incoming mail with bills: the rules."""
