"""The description of the API: its OpenAPI document, and a page for people."""
