"""An API key's grant: its permission, and its scopes, such as `invoices:read`.

The permission (READ, FULL or ADMIN) determines the actions that a key allows, and the scopes determine the
resources to which these actions apply. A key without scopes may use all resources. `bills:write` includes
`bills:read`. Scopes are stored as one string, separated by spaces, in the order of `RESOURCES`.
`web/http/scopes.py` determines the scope that a request needs.
"""

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple, get_args

from prorata.domain.accounts.api_keys import ADMIN, FULL, READ
from prorata.domain.accounts.permissions import MANAGER, OWNER, VIEWER, may_key
from prorata.domain.texts import Text, say

Resource = Literal[
    "properties", "tenants", "rules", "bills", "invoices", "payments", "exports", "webhooks", "audit", "jobs",
    "account", "members", "keys",
]  # fmt: skip
RESOURCES: tuple[Resource, ...] = get_args(Resource)
Access = Literal["read", "write"]
_READS, _WRITES = get_args(Access)
SCOPES: tuple[str, ...] = tuple(f"{resource}:{access}" for resource in RESOURCES for access in (_READS, _WRITES))
RESOURCE_NAMES: dict[Resource, Text] = {
    "properties": say("Properties and units"),
    "tenants": say("Tenants"),
    "rules": say("Rules"),
    "bills": say("Bills"),
    "invoices": say("Invoices and months"),
    "payments": say("Payments"),
    "exports": say("Exports"),
    "webhooks": say("Webhooks and events"),
    "audit": say("Activity"),
    "jobs": say("Background tasks"),
    "account": say("Settings"),
    "members": say("Members"),
    "keys": say("API keys"),
}
"""The names of the resources in the form in which a person chooses scopes."""


class Grant(NamedTuple):
    """The permission and scopes of an API key; an empty set means all scopes."""

    permission: str
    scopes: frozenset[str] = frozenset()

    def reaches(self, scope: str) -> bool:
        """True if the grant includes a scope; writing includes reading.

        >>> grant = Grant("FULL", frozenset({"bills:write"}))
        >>> grant.reaches("bills:read"), grant.reaches("bills:write"), grant.reaches("invoices:read")
        (True, True, False)
        >>> Grant("READ").reaches("invoices:read")
        True
        """
        resource, _, access = scope.partition(":")
        return not self.scopes or scope in self.scopes or (access == _READS and f"{resource}:{_WRITES}" in self.scopes)

    def covers(self, other: "Grant") -> bool:
        """True if the grant allows everything that `other` does.

        Keys can't create more powerful keys.

        >>> Grant("ADMIN", frozenset({"keys:write"})).covers(Grant("ADMIN"))
        False
        >>> Grant("ADMIN").covers(Grant("FULL", frozenset({"bills:read"})))
        True
        """
        return may_key(self.permission, other.permission) and all(map(self.reaches, other.scopes or SCOPES))


OF_ROLES: Mapping[str, Grant] = {OWNER: Grant(ADMIN), MANAGER: Grant(FULL), VIEWER: Grant(READ)}
"""The grants of keys that may do as much as members, by the member's role."""
EVERYTHING = Grant(ADMIN)
"""The grant of callers that are not API keys, such as jobs.

The permission of these callers is checked elsewhere.
"""


def grant_of(permission: str, scopes: str) -> Grant:
    """Build an API key's grant from its stored permission and scopes."""
    return Grant(permission, frozenset(scopes.split()))


def written(scopes: Iterable[str]) -> str:
    """Write scopes for storage: in the order of `RESOURCES`, each once.

    >>> written(["invoices:read", "bills:write", "invoices:read"])
    'bills:write invoices:read'
    """
    chosen = frozenset(scopes)
    return " ".join(scope for scope in SCOPES if scope in chosen)


def problem_with(permission: str, scopes: Iterable[str]) -> str | None:
    """Return the problem with the scopes of a new key; None if they are valid.

    >>> problem_with("FULL", ["bills:write"]), problem_with("FULL", ["bill:write"])
    (None, 'A scope consists of a resource and read or write, such as invoices:read.')
    >>> problem_with("READ", ["bills:write"])
    'A read-only key can’t have write scopes.'
    """
    chosen = [*scopes]
    if not set(SCOPES).issuperset(chosen):
        return say("A scope consists of a resource and read or write, such as invoices:read.")
    if permission == READ and any(scope.endswith(f":{_WRITES}") for scope in chosen):
        return say("A read-only key can’t have write scopes.")
    return None
