"""The sender of a page request, and the sender's session, which is checked twice.

After the session is first looked up, a form may take long to arrive, and the change may have to wait for other changes.
The session is therefore looked up again inside the transaction, so that a person who was removed or signed out in the
meantime can't change anything.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from prorata.actions.accounts import sessions as session_actions
from prorata.domain.accounts.permissions import may
from prorata.domain.accounts.settings import LOCALES, likely_locale
from prorata.domain.callers import Person
from prorata.domain.texts import say
from prorata.errors import Forbidden
from prorata.ports import Forms
from prorata.store.database.engine import Tx
from prorata.web.dashboard.kernel.pages import Outside, Page
from prorata.web.dashboard.kernel.sessions import GUEST, SESSION, Cookies, host_of, local_path
from prorata.web.dashboard.kernel.translations import Speech, speech_in
from prorata.web.http.auth import client_address

_OF_GUESTS = ("en", *(code for code, _ in LOCALES))
_NOT_ALLOWED = {
    "read": say("You don’t have access to this. Ask an owner of the account."),
    "write": say(
        "You can view everything here, but you can’t change it. Ask an owner of the account to make you a manager."
    ),
    "manage": say("Only an owner of the account can do this."),
}


class SignedOut(Exception):
    """An error that is raised if the session has ended during the request."""


@dataclass(slots=True)
class Guest:
    """The sender of a page request, signed in or not, with the request.

    `token` is the session's token, and `hashes` are the hashes under which the session may be stored.
    `guest_token` identifies a browser without a session.
    """

    person: Person | None
    token: str | None
    hashes: tuple[str, ...]
    guest_token: str | None
    headers: dict[bytes, bytes]
    address: str
    query: bytes
    path: str
    is_get: bool

    def header(self, name: bytes) -> str:
        """Return a header as text; return an empty string if it is missing."""
        return self.headers.get(name, b"").decode("latin-1")

    @property
    def languages(self) -> str:
        """The languages that the browser requests, as in the header Accept-Language."""
        return self.header(b"accept-language")

    @property
    def locale(self) -> str:
        """The signed-in person's locale or, if nobody is signed in, the browser's."""
        return self.person.locale if self.person else likely_locale(self.languages, _OF_GUESTS)

    def speech(self, forms: Callable[[str], Forms], locale: str = "") -> Speech:
        """Return the language in which the sender sees a page, with its number formats.

        It is that of `locale`, or else the sender's own.
        """
        its_locale = locale or self.locale
        return speech_in(its_locale, forms(its_locale))

    @property
    def asked(self) -> str:
        """The requested address, with its query."""
        return self.path + (f"?{self.query.decode('latin-1')}" if self.query else "")

    @property
    def came_from(self) -> str:
        """The page of the dashboard on which a form was filled in; empty if unknown."""
        referer = self.header(b"referer")
        host = host_of(referer)
        if not host or host != self.header(b"host"):
            return ""
        sent = urlsplit(referer)
        return local_path(f"{sent.path}?{sent.query}" if sent.query else sent.path)

    @property
    def wants_part(self) -> bool:
        """True if the script htmx requests a part to be put into the current page."""
        return b"hx-request" in self.headers

    def as_without_script(self) -> "Guest":
        """Return a copy of this sender that requests a whole page instead of a part."""
        return replace(self, headers={name: value for name, value in self.headers.items() if name != b"hx-request"})

    def as_nobody(self) -> "Guest":
        """Return a copy of this sender that is not signed in."""
        return replace(self, person=None)

    def as_signed_in(self, token: str, hashes: tuple[str, ...], path: str, query: str) -> "Guest":
        """Return a copy of this sender that has a new session and requests another page."""
        headers = {name: value for name, value in self.headers.items() if name not in (b"referer", b"hx-request")}
        return replace(
            self, token=token, hashes=hashes, headers=headers, path=path, query=query.encode("latin-1"), is_get=False
        )

    def find(self, tx: Tx) -> Person | None:
        """Return the person who is signed in with the browser's session, or None."""
        return next(filter(None, (session_actions.find(tx, token_hash) for token_hash in self.hashes)), None)

    def confirming(self, page: Page) -> Callable[[Tx], Person | None]:
        """Build a function that looks up the form's session again, inside a transaction.

        The function returns the signed-in person. It raises `SignedOut` if the session has ended, and `Forbidden` if
        the person's role no longer allows the page. It checks nothing for pages that are requested with GET or that
        everybody may open.
        """

        def confirm(tx: Tx) -> Person | None:
            if page.may is None or page.method == "GET":
                return self.person
            person = self.find(tx)
            if person is None:
                raise SignedOut
            require_role(page, person)
            return person

        return confirm


def guest_of(scope: dict[str, Any], headers: dict[bytes, bytes], cookies: Cookies, outside: Outside) -> Guest:
    """Build the sender of a request, before the session is looked up."""
    cookie = headers.get(b"cookie", b"").decode("latin-1")
    peer = (scope.get("client") or ("0.0.0.0",))[0]  # noqa: S104
    forwarded = headers.get(b"x-forwarded-for", b"").decode("latin-1")
    token = cookies.token(cookie, SESSION)
    return Guest(
        person=None,
        token=token,
        hashes=outside.sessions(token) if token else (),
        guest_token=cookies.token(cookie, GUEST),
        headers=headers,
        address=client_address(peer, forwarded, outside.settings.trusted_proxies),
        query=scope["query_string"],
        path=scope["path"],
        is_get=scope["method"] in ("GET", "HEAD"),
    )


class Stands(NamedTuple):
    """The addresses of a page that templates use for links and forms.

    `path` is the requested address. `page_path` is the same address or, if that address only accepts forms, its nearest
    parent that a browser can open. `own_address` is the address, with its query, of the page that the person sees.
    `is_kept` means that opening `path` shows this page again.
    """

    path: str
    page_path: str
    own_address: str
    is_kept: bool


def require_role(page: Page, person: Person | None) -> None:
    """Raise `Forbidden` if a person's role doesn't allow the page."""
    if page.may is not None and person is not None and not may(person.role, page.may):
        raise Forbidden(_NOT_ALLOWED[page.may])
