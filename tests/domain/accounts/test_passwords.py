"""Passwords that are easy to guess are refused; similar ones that are not are accepted."""

import pytest

from prorata.domain.accounts.passwords import password_problem


@pytest.mark.parametrize(
    "password",
    [
        "password", "PASSWORD", "password1", "Password123!", "p@ssw0rd", "pa55word", "passw0rd1", "trustno1", "qwerty123",
        "1qaz2wsx", "qwertyuiop", "12345678", "123456789", "87654321", "11111111", "abcabcabc", "12341234", "letmein!!",
        "iloveyou", "Welcome2024!", "sunshine", "asdfghjk", "abcdefgh", "1q2w3e4r", "admin123", "changeme",
    ],
)  # fmt: skip
def test_what_is_tried_first_is_refused(password):
    problem = password_problem(password)
    assert problem is not None
    assert "easy to guess" in problem.message


@pytest.mark.parametrize(
    "password", ["ann@example.com", "Ann.Elm1", "annelm99", "Ann Elm!", "elm homes", "Elm Homes 2026"]
)
def test_what_stands_beside_it_is_refused(password):
    problem = password_problem(
        password, "ann.elm@example.com" if "@" not in password else password, "Ann Elm", "Elm Homes"
    )
    assert problem is not None
    assert "other than your e-mail address" in problem.message


@pytest.mark.parametrize(
    "password",
    [
        "correct horse", "battery staple", "choose a good one", "prorata-demo", "what a stranger chose", "19870412",
        "monkey 8302947261930", "summer in the city", "xK4!pq9Z", "ann likes elms", "passwordless is not",
    ],
)  # fmt: skip
def test_others_are_not_taken_for_one_of_them(password):
    assert password_problem(password, "ann@example.com", "Ann", "Elm Homes") is None


def test_nobody_is_refused_for_a_name_that_is_empty():
    assert password_problem("!?!?-+-+,;", "", "", "") is None
