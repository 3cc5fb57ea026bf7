"""HTTP: decoding of requests, operations of the API, limits, and encoding of responses."""
