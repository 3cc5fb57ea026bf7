"""Passwords: hashed with Argon2id under the parameters of RFC 9106 section 4, the second recommended option."""

from argon2 import PasswordHasher, profiles
from argon2.exceptions import InvalidHashError, VerificationError

FEWEST_CHARACTERS = 8
MOST_CHARACTERS = 1_000
_HASHER = PasswordHasher.from_parameters(profiles.RFC_9106_LOW_MEMORY)


def hash_password(password: str) -> str:
    """What is stored of a password: the hash with its parameters and its own salt."""
    return _HASHER.hash(password)


def is_password(password: str, stored: str) -> bool:
    """Whether a password is the one that was hashed."""
    try:
        return len(password) <= MOST_CHARACTERS and _HASHER.verify(stored, password)
    except (VerificationError, InvalidHashError):
        return False


def wants_another_hash(stored: str) -> bool:
    """Whether a password that was hashed under older parameters is to be hashed again at its next use."""
    return _HASHER.check_needs_rehash(stored)
