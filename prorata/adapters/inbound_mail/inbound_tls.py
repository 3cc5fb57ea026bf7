"""The mail receiver's TLS certificate: PRORATA_INBOUND_TLS_CERT and PRORATA_INBOUND_TLS_KEY."""

import ssl
from pathlib import Path
from threading import Lock

import structlog

from prorata.settings import Settings, SettingsError

_BOTH = "PRORATA_INBOUND_TLS_CERT, PRORATA_INBOUND_TLS_KEY"
_log = structlog.stdlib.get_logger("prorata.receiver")


class ReceiverTls:
    """The source of TLS contexts, made from a PEM certificate, its chain and its key.

    If these files are replaced by those of a renewed certificate, the next connection uses the new certificate.
    """

    def __init__(self, certificate: Path, key: Path) -> None:
        self._certificate = certificate
        self._key = key
        self._lock = Lock()
        self._seen = self._changed_at()
        self._context = _context(certificate, key)

    def __call__(self) -> ssl.SSLContext:
        """Return the TLS context for the next connection.

        If the files were replaced and the new ones can't be read, return the former context.
        """
        with self._lock:
            try:
                seen = self._changed_at()
                if seen != self._seen:
                    self._context = _context(self._certificate, self._key)
                    self._seen = seen
            except SettingsError as wrong:
                _log.error("the new certificate can't be used", why=str(wrong))
            return self._context

    def _changed_at(self) -> tuple[int, int]:
        try:
            return self._certificate.stat().st_mtime_ns, self._key.stat().st_mtime_ns
        except OSError as failed:
            raise SettingsError(f"{_BOTH}: {failed.filename} can't be read: {failed.strerror}.") from None


def receiver_tls(settings: Settings) -> ReceiverTls | None:
    """Build the source of the mail receiver's TLS contexts from the settings.

    Return None if the settings don't enable TLS. Raises `SettingsError` if the certificate or the key can't be
    used.
    """
    if settings.inbound_tls_cert is None:
        if settings.inbound_tls_key is not None:
            raise SettingsError("PRORATA_INBOUND_TLS_KEY has no effect without PRORATA_INBOUND_TLS_CERT. Set both.")
        return None
    certificate = Path(settings.inbound_tls_cert)
    return ReceiverTls(certificate, Path(settings.inbound_tls_key or certificate))


def _context(certificate: Path, key: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_cert_chain(certificate, key, password=_no_password)
    except (OSError, ValueError):
        raise SettingsError(
            f"{_BOTH}: {certificate} and {key} must be a certificate and its private key, both in PEM format, the "
            "key without a password."
        ) from None
    return context


def _no_password() -> str:
    raise ValueError  # OpenSSL would ask at the terminal
