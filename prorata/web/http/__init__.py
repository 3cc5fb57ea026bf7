"""HTTP: the gateway, decoding, operations, limits and answers."""
