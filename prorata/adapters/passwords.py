"""Passwords: hashing with Argon2id under the second recommended option of RFC 9106 section 4."""

from argon2 import PasswordHasher, profiles
from argon2.exceptions import InvalidHashError, VerificationError

from prorata.domain.limits import LONGEST_PASSWORD

_HASHER = PasswordHasher.from_parameters(profiles.RFC_9106_LOW_MEMORY)
NOBODYS_HASH = "$argon2id$v=19$m=65536,t=3,p=4$paGcBFI+6AWPte3lkm1fVw$iVoEtQBdbkWPJwjOcAZmEyXdhmvvZSJ9+yIio5WO3ew"
"""A hash, with the current parameters, of random bytes that nobody knows."""


class Argon2Passwords:
    """An implementation of `ports.Passwords` with Argon2."""

    nobodys_hash = NOBODYS_HASH

    def hash(self, password: str) -> str:
        """Hash a password; the result contains the parameters and a random salt."""
        return _HASHER.hash(password)

    def matches(self, password: str, stored: str) -> bool:
        """True if the password is the one that was hashed."""
        try:
            return len(password) <= LONGEST_PASSWORD and _HASHER.verify(stored, password)
        except (VerificationError, InvalidHashError):
            return False

    def wants_another_hash(self, stored: str) -> bool:
        """True if the hash has older parameters, and should be replaced."""
        return _HASHER.check_needs_rehash(stored)
