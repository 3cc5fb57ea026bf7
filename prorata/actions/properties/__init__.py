"""Properties, units and tenants: the actions."""
