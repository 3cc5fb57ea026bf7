"""The dashboard's pages for tenants' questions and disputes, and for links to tenants' pages."""
