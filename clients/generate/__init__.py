"""Makes the types and operations of the clients: docs/adr/0041-clients-are-made-by-a-generator-of-ours.md says why."""
