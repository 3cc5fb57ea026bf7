"""Sealed data opens only with our keys, for its own record, and unmodified."""

import pytest

from prorata.adapters.passwords import NOBODYS_HASH, Argon2Passwords
from prorata.adapters.sealing import AesVault

NEW, OLD = b"n" * 32, b"o" * 32


def test_what_is_sealed_opens_again_for_its_record_alone() -> None:
    vault = AesVault([NEW])
    sealed = vault.seal(b"secret", "member_1")

    assert b"secret" not in sealed.encode()
    assert vault.open(sealed, "member_1") == b"secret"
    assert vault.open(sealed, "member_2") is None
    assert vault.seal(b"secret", "member_1") != sealed


def test_the_secret_before_the_last_change_still_opens() -> None:
    sealed = AesVault([OLD]).seal(b"secret", "member_1")

    assert AesVault([NEW, OLD]).open(sealed, "member_1") == b"secret"
    assert AesVault([NEW]).open(sealed, "member_1") is None


@pytest.mark.parametrize("spoilt", ["", "1:", "1:AAAA", "1:é", "2:AAAA", "plain"])
def test_what_we_did_not_seal_opens_as_nothing(spoilt: str) -> None:
    assert AesVault([NEW]).open(spoilt, "member_1") is None


def test_what_was_changed_since_opens_as_nothing() -> None:
    vault = AesVault([NEW])
    sealed = vault.seal(b"secret", "member_1")
    for at in range(2, len(sealed), 7):
        spoilt = sealed[:at] + ("A" if sealed[at] != "A" else "B") + sealed[at + 1 :]
        assert vault.open(spoilt, "member_1") is None


def test_the_hash_that_nobody_has_takes_as_long_as_one_of_now() -> None:
    passwords = Argon2Passwords()

    assert passwords.nobodys_hash == NOBODYS_HASH
    assert not passwords.wants_another_hash(NOBODYS_HASH)
    assert not passwords.matches("", NOBODYS_HASH)
    assert passwords.matches("correct horse", passwords.hash("correct horse"))
