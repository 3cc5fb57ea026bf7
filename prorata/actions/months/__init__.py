"""A property's months: review, month runs, parallel runs: the actions."""
