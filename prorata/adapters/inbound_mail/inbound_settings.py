"""PRORATA_INBOUND_SMTP and PRORATA_INBOUND_ADDRESS: the mail receiver, and accounts' addresses.

127.0.0.1:2525              SMTP, for programs on this machine
0.0.0.0:25                  SMTP for the internet: the domain's MX record names this machine
lmtp://127.0.0.1:2424       LMTP, for a mail server of your own
lmtp:///run/prorata.sock    the same, through a socket in the file system
"""

import socket
import stat
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from prorata.adapters.inbound_mail.imap_url import read_imap_url
from prorata.adapters.limits import LONGEST_SOCKET_PATH
from prorata.adapters.mail.smtp_url import base_host
from prorata.domain.inbound_mail.inbox_addresses import account_address
from prorata.domain.limits import LARGEST_PORT, LONGEST_INBOX_BASE
from prorata.domain.mail_addresses import MailAddress, address_or_none, is_loopback
from prorata.settings import Settings, SettingsError

BACKLOG = 50
_EXAMPLE = "such as 0.0.0.0:25, or lmtp://127.0.0.1:2424"


class Listening(NamedTuple):
    """The address and protocol (SMTP or LMTP) of the mail receiver.

    The address is a host and port, or a Unix socket.
    """

    is_lmtp: bool
    host: str = ""
    port: int = 0
    path: str | None = None


def read_inbound(text: str) -> Listening:
    """Parse PRORATA_INBOUND_SMTP, the receiver's address.

    Raises `SettingsError` if it is not valid.
    """
    wanted = text.strip()
    try:
        url = urlsplit(wanted if "://" in wanted else f"smtp://{wanted}")
        host, port = url.hostname or "", url.port
    except ValueError:
        raise SettingsError(f"PRORATA_INBOUND_SMTP must be a host and a port, {_EXAMPLE}.") from None
    if url.scheme not in ("smtp", "lmtp") or url.username or url.query or url.fragment:
        raise SettingsError(f"PRORATA_INBOUND_SMTP must be a host and a port, {_EXAMPLE}.")
    is_lmtp = url.scheme == "lmtp"
    if is_lmtp and not host and url.path.startswith("/"):
        if len(url.path.encode()) > LONGEST_SOCKET_PATH:
            raise SettingsError(
                f"PRORATA_INBOUND_SMTP names a socket whose path is longer than {LONGEST_SOCKET_PATH} bytes. "
                "Choose a shorter path."
            )
        return Listening(is_lmtp, path=url.path)
    if not host or not port or port > LARGEST_PORT or url.path not in ("", "/"):
        raise SettingsError(f"PRORATA_INBOUND_SMTP must be a host and a port, {_EXAMPLE}.")
    return Listening(is_lmtp, host, port)


def base_address(settings: Settings) -> MailAddress | None:
    """Return the address from which the addresses of all accounts are made.

    It is PRORATA_INBOUND_ADDRESS if that is set. Otherwise, it is the user name for the polled mailbox, if this
    name is an address and there is no mail receiver. Failing that, it is `bills@` and the host of PRORATA_BASE_URL.
    Return None if no mail is received. Raises `SettingsError` if the settings don't give a valid address.
    """
    if settings.inbound_smtp is None and settings.imap_url is None:
        return None
    host = base_host(settings)
    user = read_imap_url(settings.imap_url).server.user if settings.imap_url and not settings.inbound_smtp else ""
    otherwise = user if "@" in user else f"bills@{'localhost' if is_loopback(host) else host}"
    address = address_or_none(settings.inbound_address or otherwise)
    if address is None or not address.is_ascii or len(address.local_part) > LONGEST_INBOX_BASE:
        raise SettingsError(
            "PRORATA_INBOUND_ADDRESS must be an e-mail address that all mail servers accept, such as "
            f"bills@example.com, with at most {LONGEST_INBOX_BASE} characters before the @."
            if settings.inbound_address
            else "PRORATA_BASE_URL has no host that can receive mail. Set PRORATA_INBOUND_ADDRESS to an address such "
            "as bills@example.com."
        )
    return address


def inbox_address(settings: Settings) -> Callable[[str], str] | None:
    """Return the function that builds an account's inbox address from its token.

    Return None if no incoming mail is set up.
    """
    base, is_polled = base_address(settings), settings.inbound_smtp is None
    return None if base is None else lambda token: account_address(base, token, is_polled=is_polled)


def listen(where: Listening) -> socket.socket:
    """Open a listening socket.

    Raises `SettingsError`, with a message that says what to do, if the socket can't be opened.
    """
    if where.path is not None:
        return _listen_in_file_system(where.path)
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(where.host, where.port, type=socket.SOCK_STREAM)[0]
    except OSError:
        raise SettingsError(
            f"PRORATA_INBOUND_SMTP: {where.host} is not an address of this machine. Use one of its addresses, or "
            "0.0.0.0 for all of them."
        ) from None
    made = socket.socket(family, kind, protocol)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen(BACKLOG)
    except PermissionError:
        made.close()
        raise SettingsError(
            f"PRORATA_INBOUND_SMTP: Prorata is not allowed to listen on port {where.port}. Have another program "
            "forward that port, or choose a port of 1024 or higher."
        ) from None
    except OSError as failed:
        made.close()
        raise SettingsError(
            f"PRORATA_INBOUND_SMTP: can't listen at {where.host}:{where.port}: {failed.strerror}."
        ) from None
    return made


def _listen_in_file_system(path: str) -> socket.socket:
    """Open a Unix socket at a path, replacing an abandoned socket there."""
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        if _is_left_over(path):
            Path(path).unlink()
        made.bind(path)
        Path(path).chmod(0o660)
        made.listen(BACKLOG)
    except OSError as failed:
        made.close()
        raise SettingsError(f"PRORATA_INBOUND_SMTP: can't listen at {path}: {failed.strerror}.") from None
    return made


def _is_left_over(path: str) -> bool:
    with suppress(FileNotFoundError):
        if not stat.S_ISSOCK(Path(path).stat().st_mode):
            return False
        with closing(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)) as attempt:
            try:
                attempt.connect(path)
            except ConnectionRefusedError:
                return True
    return False


def try_to_listen(where: Listening) -> None:
    """Test whether it is possible to listen at an address, and stop listening at once.

    Raises `SettingsError` if it is not possible.
    """
    listen(where).close()
    if where.path is not None:
        Path(where.path).unlink(missing_ok=True)
