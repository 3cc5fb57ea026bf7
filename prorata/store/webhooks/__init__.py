"""SQL statements for events, and for the webhook endpoints that receive them."""
