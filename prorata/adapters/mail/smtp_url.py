"""The server for outgoing mail, and its sender: PRORATA_SMTP_URL and PRORATA_MAIL_FROM.

    smtp://user:password@mail.example.com           port 587, STARTTLS
    smtps://user:password@mail.example.com          port 465, TLS from the first byte
    smtp://relay.internal:25?tls=off                 no TLS, so no password unless the server is on this machine
    smtp://mail.internal?ca=/etc/ssl/our-ca.pem      a certificate of your own authority

TLS is required unless the server is on this machine; there, it is used only with `?tls=required`. The
certificate is always verified. No error message repeats a URL, because it may contain a password.
"""

from urllib.parse import unquote, urlsplit

from prorata.adapters.mail.urls import MailServer, MailUrl
from prorata.domain.limits import LONGEST_LOCAL_PART, LONGEST_MAIL_TOKEN
from prorata.domain.mail_addresses import (
    MailAddress,
    address_or_none,
    holds_return_address,
    is_loopback,
    why_mail_is_held,
)
from prorata.settings import Settings, SettingsError

SUBMISSION_PORTS = 587, 465
_EXAMPLE = "such as smtp://user:password@mail.example.com:587"
_TLS = ("required", "off")


def read_smtp_url(text: str) -> MailServer:
    """Parse PRORATA_SMTP_URL into a server.

    Raises `SettingsError` if the URL is not valid, without repeating any part of it.
    """
    url = MailUrl("PRORATA_SMTP_URL", text, ("smtp", "smtps"), _EXAMPLE)
    parts, implicit = url.parts, url.is_implicit
    if parts.path not in ("", "/") or parts.fragment:
        raise url.refused(
            "must end after the host and port, except for options. Write /, ?, # and @ in a user or password as "
            "%2F, %3F, %23 and %40."
        )
    host = url.host()
    if not url.options().keys() <= {"tls", "ca"}:
        raise url.refused("allows only the options ?tls= and ?ca=.")
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    if bool(user) != bool(password):
        raise url.refused("must have both a user and a password before the @, or neither.")
    if not f"{user}{password}".isprintable():
        raise url.refused("has a control character in its user or password.")
    tls = url.tls(host)
    if tls not in _TLS or (tls == "off" and implicit):
        raise url.refused("may end in ?tls=required or, only with smtp://, in ?tls=off.")
    if password and tls == "off" and not is_loopback(host):
        raise url.refused("contains a password, which must not be sent without TLS. Remove ?tls=off.")
    return url.server(host, tls, user, password, ports=SUBMISSION_PORTS)


def base_host(settings: Settings) -> str:
    """Return the host of PRORATA_BASE_URL."""
    return urlsplit(settings.base_url).hostname or ""


def ehlo_name(host: str) -> str:
    """Choose the EHLO name: the public host, or an address literal (RFC 5321 section 4.1.4)."""
    return "[127.0.0.1]" if is_loopback(host) or "." not in host or ":" in host else host


def sender_address(settings: Settings) -> MailAddress:
    """Return the sender of mail: PRORATA_MAIL_FROM, or a default.

    The default is the user of the SMTP URL, if that is an address. Otherwise, it is `no-reply@` and the host of
    PRORATA_BASE_URL, if that host is a name. Failing that, it is no-reply@localhost, but only if no mail leaves this
    machine.

    Raises `SettingsError` if PRORATA_MAIL_FROM is too long for a return address or may be refused by some servers, or
    if it is not set and there is no default.
    """
    if settings.mail_from is not None:
        address = address_or_none(settings.mail_from)
        if address is None or not address.is_ascii:
            raise SettingsError("PRORATA_MAIL_FROM must be just an e-mail address, such as bills@example.com.")
        if not holds_return_address(address):
            most = LONGEST_LOCAL_PART - LONGEST_MAIL_TOKEN - 1
            raise SettingsError(
                f"PRORATA_MAIL_FROM must have at most {most} characters before the @, and a domain that is not "
                "too long: in return addresses, Prorata adds a + and a code that identifies the message."
            )
        return address
    server, host = read_smtp_url(settings.smtp_url) if settings.smtp_url is not None else None, base_host(settings)
    outside = server is not None and not is_loopback(server.host) and why_mail_is_held(host, server.host) is None
    for text in (server.user if server is not None else "", f"no-reply@{host}"):
        address = address_or_none(text)
        if (
            address
            and address.is_ascii
            and holds_return_address(address)
            and not (outside and is_loopback(address.domain))
        ):
            return address
    if outside:
        raise SettingsError(
            "Mail has no sender: set PRORATA_MAIL_FROM to an e-mail address that the mail server in PRORATA_SMTP_URL "
            "allows Prorata to send from."
        )
    return MailAddress("no-reply", "localhost")
