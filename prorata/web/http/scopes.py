"""The permission and scope that an API key needs, derived from an operation's declaration.

Some words of a path name a resource, and the last of them determines the scope. For example, `POST
/invoices/{id}/payments` needs `payments:write`. An operation that reaches further resources declares their scopes
(`also_needs`). An operation that carries other changes, such as a preview, has no scope itself. Each of these changes
is checked instead.
"""

from functools import cache

from prorata.domain.accounts.api_keys import ADMIN, FULL
from prorata.domain.accounts.permissions import may_key
from prorata.domain.accounts.scopes import Grant, Resource
from prorata.errors import Forbidden, ScopeMissing
from prorata.web.http.operations import Operation

NOUNS: dict[Resource, tuple[str, ...]] = {
    "properties": ("properties", "units", "unit-imports", "announcements"),
    "tenants": ("tenants",),
    "rules": ("sharerules", "sharerule-imports", "split-methods"),
    "bills": ("bills", "utility-bills", "documents", "flags", "incoming-mail", "unusual-amounts"),
    "invoices": (
        "invoices",
        "months",
        "comparisons",
        "corrections",
        "disputes",
        "questions",
        "charges",
        "attention",
        "invoice-changes",
        "owner-part",
        "statement",
        "final-invoice",
    ),
    "payments": ("payments", "payment-files", "payment-messages"),
    "exports": ("charge-systems", "charge-files", "charge-names"),
    "webhooks": ("webhook-endpoints", "events"),
    "audit": ("audit-log",),
    "jobs": ("jobs",),
    "account": ("account", "inbox-settings"),
    "members": ("members", "invitations"),
    "keys": ("keys",),
}
"""The words in paths that belong to each resource, as docs/api.md#keys lists them."""
CARRIES_OTHERS = ("previews", "bulk")
"""The words in paths of requests that carry other changes.

Such a request needs no scope of its own; each of its changes needs one.
"""
_EXPANDED = {"tenant": "tenants:read", "tenants": "tenants:read"}
"""The scopes that `expand` requires in addition to the list's own."""
_WRITES_INVOICES = Grant(FULL, frozenset({"invoices:write"}))
ONLY_READS = "This API key can only read. Use a key with FULL permission to make changes."
_NO_MANAGER = "This API key can't manage members, keys, webhooks and settings. Use a key with ADMIN permission."
_NOT_WITH_SCOPES = "This API key is limited to some scopes. Use an ADMIN key without scopes."
_RESOURCES = {noun: resource for resource, nouns in NOUNS.items() for noun in nouns}


def scopes_of(operation: Operation) -> tuple[str, ...]:
    """Return the scopes that a key needs for an operation.

    A key without scopes may do every operation that its permission allows. An operation that carries other changes
    needs no scope, because each change needs its own scopes.
    """
    resource = _resource_of(operation.path)
    return (f"{resource}:{operation.access}", *operation.also_needs) if resource else ()


@cache
def _resource_of(path: str) -> Resource | None:
    words = [word for word in path.split("/") if word in _RESOURCES or word in CARRIES_OTHERS]
    assert words, f"{path} belongs to no resource"
    return _RESOURCES.get(words[-1])


def may_open_tenant_pages(grant: Grant) -> bool:
    """True if a key with these rights may see links to tenants' pages.

    The key must be allowed to change invoices, since anybody who opens such a link can write in the tenant's name.
    """
    return grant.covers(_WRITES_INVOICES)


def refuse_expanded(grant: Grant, expand: object) -> None:
    """Refuse a request that asks to include records that the key may not read.

    `expand` names the records to include, separated by commas. Raises `ScopeMissing` if the key lacks the scope to
    read them.
    """
    for name in expand.split(",") if isinstance(expand, str) else ():
        if name in _EXPANDED and not grant.reaches(_EXPANDED[name]):
            raise ScopeMissing(_EXPANDED[name])


def refuse_without(grant: Grant, operation: Operation, field: str = "") -> None:
    """Refuse an operation that a key's rights don't allow.

    If a request's body carries several operations, `field` is the position of this operation there. Raises
    `Forbidden` if the key's permission is too low, and `ScopeMissing` if the key lacks a scope.
    """
    missing = next((scope for scope in scopes_of(operation) if not grant.reaches(scope)), None)
    refused: Forbidden | None = None
    if not may_key(grant.permission, operation.permission):
        refused = Forbidden(_NO_MANAGER if operation.permission == ADMIN else ONLY_READS)
    elif missing is not None:
        refused = ScopeMissing(missing)
    elif grant.scopes and operation.needs_every_scope:
        refused = Forbidden(_NOT_WITH_SCOPES)
    if refused is not None:
        raise refused.placed(f"`{field}` can't be done", field) if field else refused
