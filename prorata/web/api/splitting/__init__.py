"""The API of share rules and split methods."""
