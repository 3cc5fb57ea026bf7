"""Actions on properties, units and tenants."""
