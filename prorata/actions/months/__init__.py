"""Actions on a property's months: reviews, month runs and parallel runs."""
