"""SQL statements for properties, units and tenants."""
