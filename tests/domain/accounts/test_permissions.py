"""Who may do what."""

from prorata.domain.accounts.permissions import DEEDS, ROLES, may


def test_each_role_may_what_the_table_says() -> None:
    assert {role: [deed for deed in DEEDS if may(role, deed)] for role in ROLES} == {
        "owner": ["read", "write", "manage"],
        "manager": ["read", "write"],
        "viewer": ["read"],
    }


def test_an_unknown_role_may_nothing() -> None:
    assert not any(may("boss", deed) for deed in DEEDS)
