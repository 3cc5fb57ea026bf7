"""Computing a property's months anew: the statements."""
