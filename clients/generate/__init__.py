"""Generation of the clients' types and operations (docs/adr/0041-clients-are-made-by-a-generator-of-ours.md)."""
