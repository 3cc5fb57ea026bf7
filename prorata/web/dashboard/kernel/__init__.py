"""Code that all pages share: the page dispatcher, forms, sessions and rendering."""
