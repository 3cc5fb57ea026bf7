"""Every new password is checked before it is hashed, wherever a person enters it."""

import ast
from pathlib import Path

import pytest

import prorata
from prorata.actions.accounts import password_policy
from prorata.errors import InvalidRequest
from tests.people import PlainPasswords

MAY_HASH = {
    "actions/accounts/password_policy.py",
    "actions/accounts/sign_in.py",
    "adapters/passwords.py",
    "demo/__init__.py",
}
"""The files that may hash.

Besides new passwords, they hash correct passwords under newer parameters, and the demo's passwords.
"""


@pytest.mark.parametrize("password", ["short", "password1", "ann@example.org", "Elm-Homes", "x" * 1_001])
def test_a_password_that_may_not_be_is_not_hashed(password: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        password_policy.hash_of(password, PlainPasswords(), "ann@example.org", "Ann", "Elm Homes")
    assert [problem.field for problem in refused.value.problems] == ["password"]


def test_another_password_is_hashed_as_it_is() -> None:
    assert password_policy.hash_of("correct horse", PlainPasswords(), "a@example.org") == "hash of correct horse"


def test_nothing_else_hashes_a_password() -> None:
    root = Path(prorata.__file__).parent
    found = set()
    for file in sorted(root.rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        if "hash" not in text:
            continue
        for call in ast.walk(ast.parse(text)):
            named = ast.unparse(call.func) if isinstance(call, ast.Call) else ""
            if named.endswith(("passwords.hash", "hash_password")) or named == "_HASHER.hash":
                found.add(str(file.relative_to(root)))
    assert found == MAY_HASH
