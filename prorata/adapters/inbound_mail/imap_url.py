"""PRORATA_IMAP_URL: the mailbox that receives bills.

    imaps://user:password@mail.example.com             port 993, TLS from the first byte, the folder INBOX
    imap://user:password@mail.example.com/Bills         port 143, STARTTLS, the folder Bills
    imaps://user:password@mail.example.com?ca=/etc/ssl/our-ca.pem   a certificate of your own authority

TLS is required unless the server is on this machine; there, it is used only with `?tls=required`. The
certificate is always verified. No error message repeats a URL, because it contains a password.
"""

from typing import NamedTuple
from urllib.parse import unquote

from prorata.adapters.mail.urls import MailServer, MailUrl
from prorata.domain.mail_addresses import is_loopback

IMAP_PORTS = 143, 993
INBOX = "INBOX"
_EXAMPLE = "such as imaps://user:password@mail.example.com/INBOX"


class ImapFolder(NamedTuple):
    """A mail folder to fetch from, with its server."""

    server: MailServer
    folder: str


def read_imap_url(text: str) -> ImapFolder:
    """Parse PRORATA_IMAP_URL into a server and a folder.

    Raises `SettingsError` if it is not valid, without repeating any part of it.

    >>> server, folder = read_imap_url("imaps://bills%40example.com:secret@mail.example.com/Bills")
    >>> server.user, server.host, server.port, folder
    ('bills@example.com', 'mail.example.com', 993, 'Bills')
    """
    url = MailUrl("PRORATA_IMAP_URL", text, ("imap", "imaps"), _EXAMPLE)
    parts, implicit = url.parts, url.is_implicit
    if parts.fragment or "@" in parts.path:
        raise url.refused(
            "can't be parsed. Write /, ?, #, % and @ in a user, password or folder as %2F, %3F, %23, %25 and %40."
        )
    host = url.host()
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    if not (user and password):
        raise url.refused(f"must have a user and a password before the @, {_EXAMPLE}.")
    folder = unquote(parts.path.removeprefix("/")) or INBOX
    if not f"{user}{password}{folder}".isprintable():
        raise url.refused("has a control character in its user, password or folder.")
    options = url.options()
    if not options.keys() <= {"tls", "ca"} or options.get("tls", "off") not in ("required", "off"):
        raise url.refused("allows only the options ?tls=required, ?tls=off and ?ca=.")
    tls = url.tls(host)
    if tls == "off" and (implicit or not is_loopback(host)):
        raise url.refused("contains a password, which must not be sent without TLS. Remove ?tls=off.")
    return ImapFolder(url.server(host, tls, user, password, ports=IMAP_PORTS), folder)
