"""Actions on incoming mail that brings bills."""
