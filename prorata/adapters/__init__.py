"""Adapters: one module for each external format, server or library."""
