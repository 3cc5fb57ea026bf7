"""The API of docs/contract.md, one file per noun. Importing it declares every operation."""

from prorata.web.api import (
    audit_log,
    corrections,
    events,
    invoices,
    payments,
    properties,
    share_rules,
    split_methods,
    statements,
    tenants,
    units,
    utility_bills,
    webhook_endpoints,
)
from prorata.web.http.operations import OPERATIONS

__all__ = [
    "OPERATIONS",
    "audit_log",
    "corrections",
    "events",
    "invoices",
    "payments",
    "properties",
    "share_rules",
    "split_methods",
    "statements",
    "tenants",
    "units",
    "utility_bills",
    "webhook_endpoints",
]
