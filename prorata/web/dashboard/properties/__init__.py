"""Properties, units and tenants: the pages."""
