"""Encryption of stored values that have to be read again (AES-256-GCM, NIST SP 800-38D).

The keys are derived from the secret. A nonce is 96 random bits, so a key could safely seal four billion values. In
practice, a key seals only a few thousand.
"""

import secrets
from base64 import b64decode, b64encode
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

_NONCE_BYTES = 12
_FORM = "1:"


class AesVault:
    """An AES implementation of `ports.Vault`.

    It seals values with the first key, and opens values that were sealed with any of the keys.
    """

    def __init__(self, keys: Sequence[bytes]) -> None:
        assert keys, "values are sealed under a key"
        self._keys = tuple(keys)

    @cached_property
    def _ciphers(self) -> "tuple[AESGCM, ...]":
        """The ciphers, which are created when they are first needed.

        Loading the library takes 6 MB and 40 ms, and many processes never seal or open a value.
        """
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415

        return tuple(AESGCM(key) for key in self._keys)

    def seal(self, value: bytes, about: str) -> str:
        """Seal a value for storage; return a nonce and the output of AES-GCM, in base64."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return _FORM + b64encode(nonce + self._ciphers[0].encrypt(nonce, value, about.encode())).decode()

    def open(self, sealed: str, about: str) -> bytes | None:
        """Open a sealed value; return None if this is not possible.

        A value can't be opened if it was changed, or if it was sealed with a different secret or for a record other
        than `about`.
        """
        if not sealed.startswith(_FORM):
            return None
        try:
            kept = b64decode(sealed.removeprefix(_FORM), validate=True)
        except ValueError:  # not base 64
            return None
        from cryptography.exceptions import InvalidTag  # noqa: PLC0415 - as above

        for cipher in self._ciphers:
            try:
                return cipher.decrypt(kept[:_NONCE_BYTES], kept[_NONCE_BYTES:], about.encode())
            except (InvalidTag, ValueError):
                continue
        return None
