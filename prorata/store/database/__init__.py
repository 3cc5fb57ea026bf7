"""The two databases behind one face: connections, statements, locks, copies."""
