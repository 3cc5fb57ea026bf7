"""Permissions of an account's members and of its API keys.

    role      read   write   manage
    owner     yes    yes     yes
    manager   yes    yes     no
    viewer    yes    no      no

`read` covers seeing everything in the account. `write` covers changing bills, properties, units, tenants, share rules
and invoices, and sending. `manage` covers access to the account and its configuration: members, API keys and settings.
Everyone may change their own name, password, sessions and second factor.

A key has a permission instead of a role (`may_key`), and may have scopes (`scopes.py`).
"""

from typing import Literal, get_args

from prorata.domain.accounts.api_keys import FULL, PERMISSIONS, READ, Permission
from prorata.domain.texts import Text, say

Role = Literal["owner", "manager", "viewer"]
Deed = Literal["read", "write", "manage"]
ROLES: tuple[Role, ...] = get_args(Role)
DEEDS: tuple[Deed, ...] = get_args(Deed)
OWNER, MANAGER, VIEWER = ROLES
ROLE_NAMES: dict[str, Text] = {OWNER: say("Owner"), MANAGER: say("Manager"), VIEWER: say("Viewer")}
_MAY: dict[str, frozenset[str]] = {
    OWNER: frozenset(DEEDS),
    MANAGER: frozenset({"read", "write"}),
    VIEWER: frozenset({"read"}),
}
_READING_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


def may(role: str, deed: Deed) -> bool:
    """True if a member with this role has this permission.

    >>> may("owner", "manage"), may("manager", "manage"), may("viewer", "read"), may("viewer", "write")
    (True, False, True, False)
    """
    return deed in _MAY.get(role, frozenset())


def may_key(permission: str, needed: str) -> bool:
    """True if an API key's permission includes the permission that some work requires.

    READ reads, FULL also changes, and ADMIN also manages members, keys and settings.

    >>> may_key("READ", "READ"), may_key("READ", "FULL"), may_key("FULL", "ADMIN"), may_key("ADMIN", "FULL")
    (True, False, False, True)
    """
    return PERMISSIONS.index(permission) >= PERMISSIONS.index(needed)


def needed_for(method: str) -> Permission:
    """Return the lowest API key permission that a request with this HTTP method needs.

    >>> needed_for("GET"), needed_for("DELETE")
    ('READ', 'FULL')
    """
    return READ if method in _READING_METHODS else FULL
