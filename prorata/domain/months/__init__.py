"""The rules of a property's months: review, automatic runs and comparisons."""
