"""The dashboard's pages for properties, units and tenants."""
