"""Mail servers' URLs in settings, parsed in the same way for sending and fetching.

No error message repeats any part of a URL, because a URL may contain a password.
"""

from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from prorata.domain.mail_addresses import ascii_domain, is_loopback
from prorata.settings import SettingsError


@dataclass(frozen=True, slots=True)
class MailServer:
    """A server for sending or fetching mail, with its protocol.

    If `implicit_tls` is set, TLS is used from the first byte; if `starttls` is set, it is used after a STARTTLS
    command. `user` and `password` are empty if there is no login.
    """

    host: str
    port: int
    implicit_tls: bool
    starttls: bool
    user: str = ""
    password: str = field(default="", repr=False)
    ca_file: Path | None = None


class MailUrl:
    """A mail server's URL from the setting named `setting`.

    `schemes` contains two schemes: first the one for connections with optional STARTTLS, then the one for TLS from
    the first byte. `example` is added to the error messages. The methods raise `SettingsError` if their part of the
    URL is not valid.
    """

    def __init__(self, setting: str, text: str, schemes: tuple[str, str], example: str) -> None:
        self._setting, self._example = setting, example
        try:
            self.parts = urlsplit(text.strip())
        except ValueError:
            raise self.refused(f"must be a URL, {example}.") from None
        if self.parts.scheme not in schemes:
            raise self.refused(f"must start with {schemes[0]}:// or {schemes[1]}://, {example}.")
        self.is_implicit = self.parts.scheme == schemes[1]
        """True if the connection uses TLS from the first byte."""

    def refused(self, why: str) -> SettingsError:
        """Build the error that names the setting and says what is wrong with it."""
        return SettingsError(f"{self._setting} {why}")

    def host(self) -> str:
        """Return the host, a name in ASCII."""
        host = self.parts.hostname or ""
        if ":" in host:  # an IPv6 address, which urlsplit has checked for its brackets
            return host
        try:
            if host.replace(".", "").isdigit():
                return str(ip_address(host))
            return ascii_domain(unquote(host))
        except ValueError:
            raise self.refused(f"must name a host, {self._example}.") from None

    def port(self) -> int | None:
        """Return the port, or None if the URL has none."""
        try:
            port = self.parts.port
        except ValueError:
            port = 0
        if port == 0:
            raise self.refused("must have a port from 1 to 65535, or no port.")
        return port

    def options(self) -> dict[str, str]:
        """Return the URL's query parameters."""
        return dict(parse_qsl(self.parts.query, keep_blank_values=True))

    def tls(self, host: str) -> str:
        """Return the TLS mode, `required` or `off`.

        If no mode is given, it is `off` only for a server on this machine.
        """
        return self.options().get("tls") or ("off" if is_loopback(host) and not self.is_implicit else "required")

    def server(self, host: str, tls: str, user: str, password: str, *, ports: tuple[int, int]) -> MailServer:
        """Return the server, with the given port or else the usual port of the scheme."""
        port, named = self.port() or ports[self.is_implicit], self.options().get("ca")
        if named is not None and not Path(named).is_file():
            raise self.refused("names a file in ?ca= that does not exist.")
        return MailServer(
            host,
            port,
            implicit_tls=self.is_implicit,
            starttls=tls == "required" and not self.is_implicit,
            user=user,
            password=password,
            ca_file=None if named is None else Path(named),
        )
