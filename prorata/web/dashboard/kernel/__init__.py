"""What all pages share: the page dispatcher, forms, sessions, rendering."""
