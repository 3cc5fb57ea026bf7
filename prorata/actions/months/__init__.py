"""A property's months: reviews, month runs and parallel runs: the actions."""
