"""HTTP: the gateway, decoding, serving, limits and answers."""
