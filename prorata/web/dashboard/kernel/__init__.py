"""The code that all pages of the dashboard share: dispatcher, forms, sessions and rendering."""
