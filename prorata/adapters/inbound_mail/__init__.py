"""Libraries and servers for mail that brings bills."""
