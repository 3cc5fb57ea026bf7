"""The dashboard's pages for a property's months: review, month runs, parallel runs."""
