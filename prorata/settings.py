"""The settings, from environment variables or a `.env` file (docs/decisions.md#settings)."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network
from pathlib import Path
from urllib.parse import urlsplit

from dotenv import dotenv_values

from prorata.domain.hosts import host_written
from prorata.domain.mail_addresses import is_loopback
from prorata.domain.webhooks.addresses import Networks

DEFAULT_BASE_URL = "http://127.0.0.1:8000"
OUTBOX = "outbox"
"""The folder of the data directory for messages if no mail server is set."""
_DNS_PORT = 53
_SIGNUPS = ("first", "invite", "open")
LOG_LEVELS = ("info", "warning")
"""The log levels: everything that is logged, or only lines for somebody to look at."""


class SettingsError(Exception):
    """An unusable setting; the message names the setting and states how to correct it."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of an installation.

    Each field is read from the environment variable `PRORATA_…` with the field's name.
    """

    data_dir: Path
    """PRORATA_DATA_DIR: the directory of the database, stored documents and the secret."""
    database_url: str
    """PRORATA_DATABASE_URL: `sqlite:///path` or `postgresql://…`.

    If it is not set, a SQLite file in the data directory is used.
    """
    base_url: str
    """PRORATA_BASE_URL: the public address, used in links."""
    secret_key: str | None
    """PRORATA_SECRET_KEY: the root of derived keys.

    With SQLite, it is created at the first start if it is not set.
    """
    secret_key_previous: str | None
    """PRORATA_SECRET_KEY_PREVIOUS: the secret before the last change, still accepted."""
    rate_limit_per_minute: int
    """PRORATA_RATE_LIMIT_PER_MINUTE: the requests allowed to one API key in any 60 seconds."""
    rate_limit_per_hour: int
    """PRORATA_RATE_LIMIT_PER_HOUR: the requests allowed to one API key in any hour."""
    redis_url: str | None
    """PRORATA_REDIS_URL: the server for rate-limit counters shared by several processes or hosts."""
    trusted_proxies: Networks
    """PRORATA_TRUSTED_PROXIES: the addresses or networks whose X-Forwarded-For is trusted.

    They are separated by commas.
    """
    signup: str
    """PRORATA_SIGNUP: the people who may open an account.

    It is `first` (the first visitor; others need an invitation), `invite` or `open`.
    """
    sign_in_hint: str
    """PRORATA_SIGN_IN_HINT: a sentence to show above the sign-in form."""
    keep_deleted_days: int
    """PRORATA_KEEP_DELETED_DAYS: the days for which a deleted property's export is kept.

    With 0, no export is written.
    """
    keep_outbox_days: int = 0
    """PRORATA_KEEP_OUTBOX_DAYS: the days for which messages stay in the outbox folder.

    With 0, they are kept indefinitely.
    """
    smtp_url: str | None = field(default=None, repr=False)
    """PRORATA_SMTP_URL: the server for outgoing mail (adapters/mail/smtp_url.py).

    Without it, messages become .eml files in a folder.
    """
    mail_from: str | None = None
    """PRORATA_MAIL_FROM: the sender address of mail."""
    inbound_smtp: str | None = None
    """PRORATA_INBOUND_SMTP: the address at which the built-in receiver listens for mail.

    Without it, there is no receiver.
    """
    inbound_address: str | None = None
    """PRORATA_INBOUND_ADDRESS: the address from which accounts' inbox addresses are made.

    Each gets its own token.
    """
    inbound_tls_cert: str | None = None
    """PRORATA_INBOUND_TLS_CERT: the mail receiver's certificate for TLS (STARTTLS), in PEM."""
    inbound_tls_key: str | None = None
    """PRORATA_INBOUND_TLS_KEY: the key of the certificate, in PEM.

    Without it, the key is in the same file.
    """
    name_server: tuple[str, int] | None = None
    """PRORATA_NAME_SERVER: the name server that is asked for the DKIM keys of mail senders.

    It is an address and a port; by default, this machine's name servers are asked.
    """
    imap_url: str | None = field(default=None, repr=False)
    """PRORATA_IMAP_URL: the mailbox polled for bills (adapters/inbound_mail/imap_url.py).

    Without it, no mailbox is polled.
    """

    allowed_hosts: tuple[str, ...] = ()
    """PRORATA_ALLOWED_HOSTS: further hosts for which the server answers, separated by commas."""
    metrics_token: str | None = field(default=None, repr=False)
    """PRORATA_METRICS_TOKEN: the token that requests for /metrics must carry.

    Without it, none is needed.
    """
    webhook_private: Networks = ()
    """PRORATA_WEBHOOK_PRIVATE: the private networks to which webhooks may be sent.

    They are separated by commas.
    """
    log_level: str = LOG_LEVELS[0]
    """PRORATA_LOG_LEVEL: the lowest level of lines that are logged.

    It is `info` (with each request and job) or `warning`.
    """
    payments: str | None = None
    """PRORATA_PAYMENTS: `sandbox`, a test provider on a page of this server.

    If it is not set, Stripe is the only provider.
    """
    stripe_api_base: str | None = field(default=None, repr=False)
    """PRORATA_STRIPE_API_BASE: the address that the Stripe adapter calls.

    If it is not set, Stripe's own address is used.
    """

    @property
    def uses_sqlite(self) -> bool:
        """True if the database is SQLite, which needs no server."""
        return self.database_url.startswith("sqlite:///")

    @property
    def is_local(self) -> bool:
        """True if the public address is on this machine, as in development."""
        return is_loopback(urlsplit(self.base_url).hostname or "")

    @property
    def outbox(self) -> Path:
        """The folder that receives outgoing messages while no mail server is set up."""
        return self.data_dir / OUTBOX

    @property
    def hosts(self) -> frozenset[str]:
        """The host names for which the server answers, normalized as in `domain/hosts.py`."""
        host = urlsplit(self.base_url).hostname or ""
        return frozenset({host_written(f"[{host}]" if ":" in host else host) or host, *self.allowed_hosts})


def read_settings(environment: Mapping[str, str] | None = None, dotenv: Path | None = None) -> Settings:
    """Read the settings from an environment and a `.env` file.

    The file's values apply to settings that the environment does not set. Raises `SettingsError` with a sentence
    that names the variable.
    """
    values = _values(environment, dotenv)
    data_dir = Path(values.get("PRORATA_DATA_DIR", "./data"))
    url = values.get("PRORATA_DATABASE_URL") or f"sqlite:///{data_dir / 'prorata.sqlite3'}"
    if not url.startswith(("sqlite:///", "postgresql://")):
        raise SettingsError("PRORATA_DATABASE_URL must start with sqlite:/// or postgresql://.")
    base_url = (values.get("PRORATA_BASE_URL") or DEFAULT_BASE_URL).rstrip("/")
    if not re.fullmatch(r"https?://[^\s/?#]+(/[^\s?#]*)?", base_url):
        raise SettingsError("PRORATA_BASE_URL must be an address such as https://bills.example.com.")
    signup = values.get("PRORATA_SIGNUP") or "first"
    if signup not in _SIGNUPS:
        raise SettingsError(f"PRORATA_SIGNUP must be one of {', '.join(_SIGNUPS)}.")
    log_level = values.get("PRORATA_LOG_LEVEL") or LOG_LEVELS[0]
    if log_level not in LOG_LEVELS:
        raise SettingsError(f"PRORATA_LOG_LEVEL must be one of {', '.join(LOG_LEVELS)}.")
    return Settings(
        data_dir=data_dir,
        database_url=url,
        base_url=base_url,
        secret_key=values.get("PRORATA_SECRET_KEY") or None,
        secret_key_previous=values.get("PRORATA_SECRET_KEY_PREVIOUS") or None,
        rate_limit_per_minute=_whole_number(values, "PRORATA_RATE_LIMIT_PER_MINUTE", 100, least=1),
        rate_limit_per_hour=_whole_number(values, "PRORATA_RATE_LIMIT_PER_HOUR", 1000, least=1),
        redis_url=values.get("PRORATA_REDIS_URL") or None,
        trusted_proxies=_networks(values, "PRORATA_TRUSTED_PROXIES"),
        signup=signup,
        sign_in_hint=values.get("PRORATA_SIGN_IN_HINT", "").strip(),
        keep_deleted_days=_whole_number(values, "PRORATA_KEEP_DELETED_DAYS", 30, least=0),
        keep_outbox_days=_whole_number(values, "PRORATA_KEEP_OUTBOX_DAYS", 0, least=0),
        smtp_url=values.get("PRORATA_SMTP_URL") or None,
        mail_from=values.get("PRORATA_MAIL_FROM") or None,
        inbound_smtp=values.get("PRORATA_INBOUND_SMTP") or None,
        inbound_address=values.get("PRORATA_INBOUND_ADDRESS") or None,
        inbound_tls_cert=values.get("PRORATA_INBOUND_TLS_CERT") or None,
        inbound_tls_key=values.get("PRORATA_INBOUND_TLS_KEY") or None,
        name_server=_name_server(values.get("PRORATA_NAME_SERVER", "")),
        imap_url=values.get("PRORATA_IMAP_URL") or None,
        allowed_hosts=_hosts(values.get("PRORATA_ALLOWED_HOSTS", "")),
        metrics_token=_metrics_token(values),
        webhook_private=_networks(values, "PRORATA_WEBHOOK_PRIVATE"),
        log_level=log_level,
        payments=_payments(values),
        stripe_api_base=_stripe_api_base(values),
    )


def is_set(name: str) -> bool:
    """True if the environment or the `.env` file sets a variable."""
    return bool(_values(None, None).get(name))


def _values(environment: Mapping[str, str] | None, dotenv: Path | None) -> dict[str, str]:
    file = dotenv_values(dotenv or Path(".env"))
    values = {name: value for name, value in file.items() if value is not None}
    return values | dict(os.environ if environment is None else environment)


def _payments(values: Mapping[str, str]) -> str | None:
    payments = values.get("PRORATA_PAYMENTS") or None
    if payments not in (None, "sandbox"):
        raise SettingsError("PRORATA_PAYMENTS must be sandbox or unset.")
    if payments and values.get("PRORATA_SMTP_URL"):
        raise SettingsError(
            "PRORATA_PAYMENTS=sandbox is for testing, but PRORATA_SMTP_URL would e-mail its links to tenants. Unset "
            "one of them."
        )
    return payments


def _stripe_api_base(values: Mapping[str, str]) -> str | None:
    base = values.get("PRORATA_STRIPE_API_BASE") or None
    if base and not re.fullmatch(
        r"https://[^\s/?#@]+|http://(127\.0\.0\.1|localhost|\[::1\])(:\d+)?", base.rstrip("/")
    ):
        raise SettingsError(
            "PRORATA_STRIPE_API_BASE must be an address such as https://api.stripe.com, without a path."
        )
    return base.rstrip("/") if base else None


def _whole_number(values: Mapping[str, str], name: str, otherwise: int, *, least: int) -> int:
    text = values.get(name, "").strip()
    if not text:
        return otherwise
    if not (text.isascii() and text.isdigit() and int(text) >= least):
        raise SettingsError(f"{name} must be a whole number of at least {least}.")
    return int(text)


def _name_server(text: str) -> tuple[str, int] | None:
    if not text.strip():
        return None
    try:
        place = urlsplit(f"//{text.strip()}")
        return str(ip_address(place.hostname or "")), place.port or _DNS_PORT
    except ValueError:
        raise SettingsError(
            "PRORATA_NAME_SERVER must be the IP address of a name server, with its port if that is not 53, such as "
            "127.0.0.1:5353."
        ) from None


def _metrics_token(values: Mapping[str, str]) -> str | None:
    token = values.get("PRORATA_METRICS_TOKEN") or None
    if token and not re.fullmatch("[!-~]+", token):
        raise SettingsError("PRORATA_METRICS_TOKEN must consist of ASCII letters, digits and symbols, without spaces.")
    return token


def _hosts(text: str) -> tuple[str, ...]:
    written = [part.strip() for part in text.split(",") if part.strip()]
    hosts = [host for host in map(host_written, written) if host is not None]
    if len(hosts) < len(written):
        raise SettingsError(
            "PRORATA_ALLOWED_HOSTS must be a list of hosts without ports, separated by commas, such as "
            "bills.internal,10.0.0.11."
        )
    return tuple(hosts)


def _networks(values: Mapping[str, str], name: str) -> Networks:
    try:
        return tuple(ip_network(part.strip(), strict=False) for part in values.get(name, "").split(",") if part.strip())
    except ValueError:
        raise SettingsError(f"{name} must be addresses or networks separated by commas, such as 10.0.0.0/8.") from None
