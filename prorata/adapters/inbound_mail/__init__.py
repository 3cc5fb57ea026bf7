"""Libraries and servers for incoming mail that contains bills."""
