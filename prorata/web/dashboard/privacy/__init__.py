"""The dashboard's pages for exporting and erasing tenants' data, and for deleting an account."""
