"""PRORATA_IMAP_URL: the mailbox that bills come to.

    imaps://user:password@mail.example.com             port 993, TLS from the first byte, the folder INBOX
    imap://user:password@mail.example.com/Bills         port 143, STARTTLS, the folder Bills
    imaps://user:password@mail.example.com?ca=/etc/ssl/our-ca.pem   a certificate of one's own authority

TLS is required but for a server on this machine, where it is used with `?tls=required` only; the certificate is always
verified. What is said of a URL never repeats it: there is a password in it.
"""

from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from prorata.domain.mail_addresses import ascii_domain, is_loopback
from prorata.settings import SettingsError

IMAP_PORT = 143
IMAPS_PORT = 993
INBOX = "INBOX"
_EXAMPLE = "such as imaps://user:password@mail.example.com/INBOX"


@dataclass(frozen=True, slots=True)
class ImapFolder:
    """Where mail is fetched, and how. `implicit_tls` speaks TLS from the first byte, `starttls` after a word."""

    host: str
    port: int
    implicit_tls: bool
    starttls: bool
    user: str
    password: str = field(repr=False)
    folder: str = INBOX
    ca_file: Path | None = None


def read_imap_url(text: str) -> ImapFolder:
    """The folder that a URL names. Raises `SettingsError` with what is wrong, without any part of the URL.

    >>> folder = read_imap_url("imaps://bills%40example.com:secret@mail.example.com/Bills")
    >>> folder.user, folder.host, folder.port, folder.folder
    ('bills@example.com', 'mail.example.com', 993, 'Bills')
    """
    url = _split(text)
    host = _host(url)
    user, password = unquote(url.username or ""), unquote(url.password or "")
    if not (user and password):
        raise SettingsError(f"PRORATA_IMAP_URL must have a user and a password before the @, {_EXAMPLE}.")
    folder = unquote(url.path.removeprefix("/")) or INBOX
    if not f"{user}{password}{folder}".isprintable():
        raise SettingsError("PRORATA_IMAP_URL has a control character in its user, password or folder.")
    options, implicit = _options(url), url.scheme == "imaps"
    tls = options.get("tls") or ("off" if is_loopback(host) and not implicit else "required")
    if tls == "off" and (implicit or not is_loopback(host)):
        raise SettingsError("PRORATA_IMAP_URL has a password, which may not be sent without TLS. Leave out ?tls=off.")
    return ImapFolder(
        host=host,
        port=_port(url) or (IMAPS_PORT if implicit else IMAP_PORT),
        implicit_tls=implicit,
        starttls=tls == "required" and not implicit,
        user=user,
        password=password,
        folder=folder,
        ca_file=_ca_file(options),
    )


def _split(text: str) -> SplitResult:
    try:
        url = urlsplit(text.strip())
    except ValueError:
        raise SettingsError(f"PRORATA_IMAP_URL is not a URL, {_EXAMPLE}.") from None
    if url.scheme not in ("imap", "imaps"):
        raise SettingsError(f"PRORATA_IMAP_URL must start with imap:// or imaps://, {_EXAMPLE}.")
    if url.fragment or "@" in url.path:
        raise SettingsError(
            "PRORATA_IMAP_URL can't be taken apart. Write /, ?, #, % and @ in a user, password or folder as %2F, %3F, "
            "%23, %25 and %40."
        )
    return url


def _host(url: SplitResult) -> str:
    host = url.hostname or ""
    if ":" in host:  # an IPv6 address, which urlsplit has checked for its brackets
        return host
    try:
        if host.replace(".", "").isdigit():
            return str(ip_address(host))
        return ascii_domain(unquote(host))
    except ValueError:
        raise SettingsError(f"PRORATA_IMAP_URL must name a host, {_EXAMPLE}.") from None


def _port(url: SplitResult) -> int | None:
    try:
        port = url.port
    except ValueError:
        port = 0
    if port == 0:
        raise SettingsError("PRORATA_IMAP_URL must have a port from 1 to 65535, or none.")
    return port


def _options(url: SplitResult) -> dict[str, str]:
    options = dict(parse_qsl(url.query, keep_blank_values=True))
    if not options.keys() <= {"tls", "ca"} or options.get("tls", "off") not in ("required", "off"):
        raise SettingsError("PRORATA_IMAP_URL knows the options ?tls=required, ?tls=off and ?ca= and no other.")
    return options


def _ca_file(options: dict[str, str]) -> Path | None:
    if "ca" not in options:
        return None
    file = Path(options["ca"])
    if not file.is_file():
        raise SettingsError("PRORATA_IMAP_URL names a file with ?ca= that is not there.")
    return file
