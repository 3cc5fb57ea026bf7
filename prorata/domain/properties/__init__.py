"""The rules of properties, units and tenants."""
