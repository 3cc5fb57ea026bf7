"""Tests of the codes of authenticator apps.

The test vectors are those of RFC 4226 (appendix D) and RFC 6238 (appendix B).
"""

import pytest

from prorata.domain.accounts.one_time_codes import STEP_SECONDS, code_at, recovery_code, recovery_hash, step_at, step_of

SECRET = b"12345678901234567890"
HOTP = ["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"]
TOTP = {
    59: "94287082",
    1111111109: "07081804",
    1111111111: "14050471",
    1234567890: "89005924",
    2000000000: "69279037",
    20000000000: "65353130",
}


def test_codes_are_those_of_rfc_4226() -> None:
    assert [code_at(SECRET, step) for step in range(10)] == HOTP


@pytest.mark.parametrize("seconds", TOTP)
def test_codes_are_those_of_rfc_6238(seconds: int) -> None:
    assert code_at(SECRET, step_at(seconds), digits=8) == TOTP[seconds]


def test_a_code_is_taken_one_step_early_and_late_and_no_more() -> None:
    now = 1_000 * STEP_SECONDS + 7
    taken = [step_of(SECRET, code_at(SECRET, 1_000 + aside), now, last_step=None) for aside in range(-3, 4)]
    assert taken == [None, None, 999, 1_000, 1_001, None, None]


def test_a_step_that_was_used_is_used_up_and_all_before_it() -> None:
    now = 1_000 * STEP_SECONDS
    taken = [step_of(SECRET, code_at(SECRET, step), now, last_step=1_000) for step in (999, 1_000, 1_001)]
    assert taken == [None, None, 1_001]


@pytest.mark.parametrize("entered", ["", "12345", "１２３４５６", "é", "0x1234", "2870820"])
def test_what_is_no_code_is_none(entered: str) -> None:
    assert step_of(SECRET, entered, 59, last_step=None) is None


def test_a_recovery_code_is_read_as_people_type_it_and_its_hash_tells_nothing() -> None:
    code = recovery_code(bytes(range(10)))
    assert recovery_hash(code.upper().replace("-", "")) == recovery_hash(f" {code} ")
    assert code.replace("-", "") not in recovery_hash(code)
