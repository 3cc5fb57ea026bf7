"""The description of the API: its OpenAPI document, and the page that renders it."""
