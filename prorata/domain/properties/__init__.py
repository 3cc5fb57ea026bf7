"""Properties, units and tenants: the rules."""
