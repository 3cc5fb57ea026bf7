"""The API of tenants' messages, links and questions."""
