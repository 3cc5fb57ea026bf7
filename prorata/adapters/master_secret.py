"""The master secret, from which all keys are derived (docs/decisions.md#secret-key).

With SQLite, the secret is created at the first start, in a file of the data directory that only the file's owner
may read and that backups leave out. With PostgreSQL, which several hosts may share, the secret must be set.
"""

import hmac
import secrets
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from prorata.adapters.database.atomic_files import write_whole
from prorata.adapters.limits import SHORTEST_SECRET
from prorata.settings import Settings, SettingsError

FILE_NAME = "secret.key"
_HOW_TO_MAKE_ONE = """python3 -c "import secrets; print(secrets.token_urlsafe(48))\""""


class Secret:
    """The current secret and, while it is being replaced, the earlier secret."""

    def __init__(self, current: str, previous: str | None = None) -> None:
        self._roots = tuple(text.encode() for text in (current, previous) if text)

    def __repr__(self) -> str:
        return "Secret(…)"

    def keys_for(self, purpose: str) -> tuple[bytes, ...]:
        """Derive the keys for a purpose, one from each secret.

        The method is HKDF-SHA256 (RFC 5869). The key of the current secret comes first.
        """
        return tuple(_derived(root, purpose) for root in self._roots)


def _derived(root: bytes, purpose: str) -> bytes:
    extracted = hmac.new(b"prorata", root, sha256).digest()
    return hmac.new(extracted, purpose.encode() + b"\x01", sha256).digest()


def load_secret(settings: Settings) -> Secret:
    """Load the installation's secret, or create it if the settings allow this.

    Raises `SettingsError` if a secret is too short, or if it must be set but is missing.
    """
    for name, text in (
        ("PRORATA_SECRET_KEY", settings.secret_key),
        ("PRORATA_SECRET_KEY_PREVIOUS", settings.secret_key_previous),
    ):
        if text is not None and len(text) < SHORTEST_SECRET:
            raise SettingsError(
                f"{name} must have at least {SHORTEST_SECRET} characters. Create one with: {_HOW_TO_MAKE_ONE}"
            )
    if settings.secret_key is not None:
        return Secret(settings.secret_key, settings.secret_key_previous)
    if not settings.uses_sqlite:
        raise SettingsError(
            f"PRORATA_SECRET_KEY must be set when the database is PostgreSQL. Create one with: {_HOW_TO_MAKE_ONE}"
        )
    return Secret(_kept_in(settings.data_dir), settings.secret_key_previous)


def _kept_in(data_dir: Path) -> str:
    file = data_dir / FILE_NAME
    if not file.exists():
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        made = secrets.token_urlsafe(48).encode()
        with suppress(FileExistsError):  # another process was first: its secret counts
            write_whole(file, lambda opened: opened.write(made), replace=False)
    text = file.read_text().strip()
    if len(text) < SHORTEST_SECRET:
        raise SettingsError(
            f"The file {file} should contain the secret, but does not. Restore the file, or set PRORATA_SECRET_KEY."
        )
    return text
