"""The API of inbound mail."""
