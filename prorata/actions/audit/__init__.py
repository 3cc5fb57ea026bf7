"""Actions on the audit log, and on the evidence for a tenant's charges."""
