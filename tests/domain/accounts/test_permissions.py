"""Roles and API keys allow exactly the actions in the table."""

from prorata.domain.accounts.api_keys import PERMISSIONS
from prorata.domain.accounts.permissions import DEEDS, ROLES, may, may_key, needed_for


def test_each_role_may_what_the_table_says() -> None:
    assert {role: [deed for deed in DEEDS if may(role, deed)] for role in ROLES} == {
        "owner": ["read", "write", "manage"],
        "manager": ["read", "write"],
        "viewer": ["read"],
    }


def test_an_unknown_role_may_nothing() -> None:
    assert not any(may("boss", deed) for deed in DEEDS)


def test_a_key_that_may_read_sends_nothing_that_changes_something() -> None:
    methods = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")
    may_send = {
        permission: [method for method in methods if may_key(permission, needed_for(method))]
        for permission in PERMISSIONS
    }
    assert may_send == {"READ": ["GET", "HEAD", "OPTIONS"], "FULL": list(methods), "ADMIN": list(methods)}
    assert [permission for permission in PERMISSIONS if may_key(permission, "ADMIN")] == ["ADMIN"]
