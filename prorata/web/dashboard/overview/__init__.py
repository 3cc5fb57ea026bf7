"""The dashboard's pages for the overview, the search, the activity and first steps."""
