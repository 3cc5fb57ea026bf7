"""The dashboard's pages for share rules and split methods."""
