"""The API of what tenants get and say."""
