"""Cookies and tokens, which identify a browser's session and our own forms.

A session's cookie contains 32 random bytes, of which only a keyed hash is stored. The token in a form is a keyed hash
of that cookie, or of a guest's cookie if nobody is signed in, so it is worthless in any other browser. In the header
Sec-Fetch-Site, browsers state whether a request comes from this site. If that header is missing, as in older browsers
and on unencrypted connections, the header Origin names the site.
"""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable
from secrets import token_urlsafe
from urllib.parse import urlsplit

from prorata.actions.accounts.api_keys import KeyHasher
from prorata.domain.texts import say
from prorata.errors import Forbidden
from prorata.web.http.limits import LONGEST_NOTICE, LONGEST_SESSION_COOKIE


class StaleForm(Forbidden):
    """An error for a form that was filled in during a different session."""


_BYTES_OF_A_TOKEN = 32
_CHARACTERS_OF_A_HASH = 64
DAYS_OF_A_SESSION = 90
_SECONDS_OF_A_DAY = 86_400
SECONDS_OF_A_THEME = 365 * _SECONDS_OF_A_DAY
SESSION, GUEST, SAID, THEME = "prorata", "prorata-guest", "prorata-said", "prorata-theme"
KNOWN = "prorata-known"
THEMES = ("light", "dark")
OF_THE_SYSTEM = "system"
"""The theme choice that follows the system's setting, so that no theme is stored."""
_KINDS = ("good", "warn")


class Cookies:
    """A reader and writer of the dashboard's cookies.

    Over https, the cookies' names have the prefix that binds them to this host.
    """

    def __init__(self, base_url: str) -> None:
        self._is_secure = base_url.startswith("https://")

    def _named(self, name: str) -> str:
        return f"__Host-{name}" if self._is_secure else name

    def read(self, header: str | None, name: str) -> str | None:
        """Return the cookie with a given name from a Cookie header."""
        wanted = self._named(name)
        for pair in (header or "").split(";"):
            key, _, value = pair.strip().partition("=")
            if key == wanted:
                return value or None
        return None

    def token(self, header: str | None, name: str) -> str | None:
        """Return the token in the cookie with a given name."""
        value = self.read(header, name)
        return value if value and len(value) <= LONGEST_SESSION_COOKIE and value.isascii() else None

    def said(self, header: str | None) -> tuple[str, str]:
        """Return the message that the previous request left for this page, and its kind.

        The kind is `good` or `warn`.
        """
        try:
            kind, _, text = urlsafe_b64decode((self.read(header, SAID) or "").encode()).decode().partition(" ")
        except ValueError:
            return "", ""
        return (text[:LONGEST_NOTICE], kind) if kind in _KINDS else ("", "")

    def write(self, name: str, value: str, *, seconds: int) -> tuple[bytes, bytes]:
        """Build the header that sets a cookie; a lifetime of 0 seconds deletes it."""
        secure = "; Secure" if self._is_secure else ""
        text = f"{self._named(name)}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={seconds}{secure}"
        return b"set-cookie", text.encode("ascii")

    def begin(self, token: str) -> tuple[bytes, bytes]:
        """Build the header that begins a session in the browser."""
        return self.write(SESSION, token, seconds=DAYS_OF_A_SESSION * _SECONDS_OF_A_DAY)

    def say(self, message: str, *, warns: bool = False) -> tuple[bytes, bytes]:
        """Build the header that stores a message for the next page."""
        text = f"{_KINDS[warns]} {message[:LONGEST_NOTICE]}"
        return self.write(SAID, urlsafe_b64encode(text.encode()).decode(), seconds=60)


def new_token() -> str:
    """Return a random token that nobody can guess."""
    return token_urlsafe(_BYTES_OF_A_TOKEN)


def form_token(token: str, hasher: KeyHasher, member_id: str | None = None) -> str:
    """Build the token for the forms of the session or guest whose cookie contains `token`.

    If a member is given, the form's token also identifies the member. This can only be checked for a known member
    (`is_filled_in_by`), so the token does not reveal who it is.
    """
    own = hasher(f"form {token}")[0]
    return own + hasher(f"form of {member_id} {own}")[0] if member_id else own


def says_by_whom(sent: str) -> bool:
    """True if a form's token identifies a member."""
    return len(sent) == 2 * _CHARACTERS_OF_A_HASH


def is_filled_in_by(sent: str, member_id: str, hasher: KeyHasher) -> bool:
    """True if a form's token identifies this member, in whatever session."""
    own, whose = sent[:_CHARACTERS_OF_A_HASH], sent[_CHARACTERS_OF_A_HASH:]
    made = hasher(f"form of {member_id} {own}")
    return any(hmac.compare_digest(whose.encode(), form_hash.encode()) for form_hash in made)


def require_own_form(sent: str, tokens: Iterable[str | None], hasher: KeyHasher) -> None:
    """Raise `Forbidden` if a form's token was not made for any of the browser's tokens."""
    own = [form_hash for token in tokens if token is not None for form_hash in hasher(f"form {token}")]
    of_form = sent[:_CHARACTERS_OF_A_HASH]
    if not any(hmac.compare_digest(of_form.encode(), form_hash.encode()) for form_hash in own):
        raise StaleForm(
            say("This form is from an earlier sign-in, so nothing was changed. Check it, and send it again.")
        )


def require_own_site(headers: dict[bytes, bytes], base_url: str, *, hides_origin: bool = False) -> None:
    """Raise `Forbidden` if a change was requested by a page of another site.

    Browsers name the requesting site in Sec-Fetch-Site. If that header is missing, as over plain http, the site in
    Origin must be the request's own host or that of `base_url`. A page that `hides_origin` sends "null" in Origin,
    which is accepted, because the form's token is checked as well.
    """
    site = headers.get(b"sec-fetch-site")
    if site is not None:
        own = site == b"same-origin"
    else:
        sent = host_of(headers.get(b"origin", b"").decode("latin-1"))
        host = headers.get(b"host", b"").decode("latin-1")
        own = bool(sent) and sent in {host, host_of(base_url)}
        own = own or (hides_origin and headers.get(b"origin") == b"null")
    if not own:
        raise Forbidden(
            say("This request came from another site, so nothing was changed. Open the page here and try again.")
        )


def host_of(address: str) -> str:
    """Return the host and port of an address, as in the headers Origin and Referer.

    Return an empty string if the address is invalid.

    >>> host_of("https://bills.example:8443/invoices?page=2"), host_of("null"), host_of("http://[")
    ('bills.example:8443', '', '')
    """
    try:
        return urlsplit(address).netloc
    except ValueError:
        return ""


def local_path(path: str) -> str:
    """Return an address if it is on this server, and otherwise that of the overview.

    The overview also replaces an address that begins with `/sign-`, such as that of the sign-in page.

    >>> local_path("/invoices?status=SENT"), local_path("//evil.example"), local_path("https://evil.example")
    ('/invoices?status=SENT', '/', '/')
    """
    is_local = path.startswith("/") and not path.startswith(("//", "/\\", "/sign-")) and path.isprintable()
    return path if is_local and "\\" not in path and path.isascii() else "/"
