"""Properties, units and tenants: the statements."""
