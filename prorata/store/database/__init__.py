"""Both databases behind one interface: connections, statements, locks and copies."""
