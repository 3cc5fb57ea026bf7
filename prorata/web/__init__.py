"""The HTTP layer, which parses a request, calls one action, and renders the answer."""
