"""The HTTP layer: parse a request, call one action, render the answer."""
