"""The desk: every request to a page, from who asks to the page that is shown.

Checks come in this order: is there such a page, who is it, does a change come from our own form, may they, what did
they send. What is refused is a page too: a sentence that says what to do, or the form once more.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from inspect import iscoroutinefunction
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit

from msgspec import Struct

from prorata.actions import sessions as session_actions
from prorata.domain.people import SEEN_EVERY, Person
from prorata.domain.permissions import may
from prorata.domain.problems import Problem
from prorata.errors import Conflict, Forbidden, InvalidRequest, NotFound, RateLimited, Refusal
from prorata.ports import Limiter
from prorata.store.engine import Database, Tx, timestamp
from prorata.web.auth import client_address
from prorata.web.dashboard import forms, sessions
from prorata.web.dashboard.assets import ROOT, by_path
from prorata.web.dashboard.forms import Filled, Sent, read_address, read_form, read_whole, taken_apart
from prorata.web.dashboard.looks import Looks
from prorata.web.dashboard.pages import Answered, Ask, Download, GoTo, Outside, Page, Shown, Streamed
from prorata.web.dashboard.rendering import HEADERS
from prorata.web.dashboard.sessions import local_path
from prorata.web.dashboard.steps import StepsAtDesk
from prorata.web.dashboard.streams import Spooled, spooled, taken
from prorata.web.errors import as_refusal, error_headers
from prorata.web.pools import Pools
from prorata.web.routing import Router
from prorata.web.serving import MOST_PARAMETERS, NoQuery, Reply
from prorata.web.visits import Visit

_FORM_AGAIN = (InvalidRequest, Conflict, RateLimited)
_SEE_OTHER = 303
Receive = Callable[[], Awaitable[dict[str, Any]]]


@dataclass(slots=True)
class Guest:
    """Whoever sends a request: the person where one is signed in, and the tokens their browser holds."""

    person: Person | None
    token: str | None
    guest_token: str | None
    headers: dict[bytes, bytes]
    address: str
    query: bytes
    path: str

    def header(self, name: bytes) -> str:
        """A header as text, empty where there is none."""
        return self.headers.get(name, b"").decode("latin-1")

    @property
    def locale(self) -> str:
        """In which forms they write."""
        return self.person.locale if self.person else "en"

    @property
    def came_from(self) -> str:
        """The page of ours on which a form was filled in."""
        sent = urlsplit(self.header(b"referer"))
        is_ours = sent.netloc.encode("latin-1") == self.headers.get(b"host", b"")
        return local_path(f"{sent.path}?{sent.query}" if sent.query else sent.path) if is_ours else "/"

    @property
    def wants_part(self) -> bool:
        """Whether htmx asks, which puts what it gets into the page that is there."""
        return b"hx-request" in self.headers


class Desk:
    """Answers requests to pages."""

    def __init__(
        self, database: Database, pools: Pools, limiter: Limiter, outside: Outside, pages: Sequence[Page]
    ) -> None:
        self._database = database
        self._pools = pools
        self._limiter = limiter
        self._outside = outside
        self._router = Router(pages)
        self._first = {page.path.split("/")[1] for page in pages}
        self._cookies = sessions.Cookies(outside.settings.base_url)
        self._looks = Looks(self._cookies, outside, database.clock)
        self._noting: dict[str, asyncio.Task[None]] = {}

    def has(self, path: str, headers: dict[bytes, bytes]) -> bool:
        """Whether a request is one for pages: it asks for one, or is a browser that asks for what nobody has."""
        return path.split("/")[1] in self._first or path.startswith(ROOT) or b"text/html" in headers.get(b"accept", b"")

    async def answer(self, visit: Visit, headers: dict[bytes, bytes], receive: Receive) -> None:
        """Answer one request."""
        path: str = visit.scope["path"]
        if path.startswith(ROOT) and path in by_path():
            visit.operation = "static"
            asset = by_path()[path]
            status, about, body = asset.answer(
                headers.get(b"accept-encoding", b"").decode("latin-1"),
                headers.get(b"if-none-match", b"").decode("latin-1") or None,
            )
            await visit.answer(Reply(status, about, body))
            return
        guest = self._guest(visit, headers)
        visit.headers = self._cookies.headers
        try:
            reply = await self._answered(visit, guest, receive)
        except Exception as failed:  # noqa: BLE001 - the page that says so
            refusal = as_refusal(failed)
            shown = Shown("refused.html", {"refusal": refusal, "request_id": visit.request_id}, status=refusal.status)
            reply = await self._shown(guest, shown, Filled({}, {}))
            reply = reply._replace(headers=[*reply.headers, *_headers_of(refusal)])
        if isinstance(reply, Reply):
            await visit.answer(reply)
            return
        with closing(reply):
            await visit.answer_in_pieces(
                200, self._looks.keep(reply.name, reply.media, reply.size), taken(reply, receive)
            )

    def _guest(self, visit: Visit, headers: dict[bytes, bytes]) -> Guest:
        scope = visit.scope
        cookie = headers.get(b"cookie", b"").decode("latin-1")
        peer = (scope.get("client") or ("0.0.0.0",))[0]  # noqa: S104
        forwarded = headers.get(b"x-forwarded-for", b"").decode("latin-1")
        return Guest(
            person=None,
            token=self._cookies.token(cookie, sessions.SESSION),
            guest_token=self._cookies.token(cookie, sessions.GUEST),
            headers=headers,
            address=client_address(peer, forwarded, self._outside.settings.trusted_proxies),
            query=scope["query_string"],
            path=scope["path"],
        )

    async def _answered(self, visit: Visit, guest: Guest, receive: Receive) -> Reply | Spooled:
        method = "GET" if visit.scope["method"] == "HEAD" else visit.scope["method"]
        await self._recognise(guest)
        visit.person = guest.person
        page, held = self._found(method, guest.path)
        visit.operation = page.name
        if "{token}" in page.path:
            visit.path_to_log = page.path
        if page.may is not None and guest.person is None:
            return self._to_sign_in(guest, page)
        if page.method == "GET":
            return await self._do(page, guest, held, Sent([], {}))
        sessions.require_own_site(guest.headers, self._outside.settings.base_url)
        sent = taken_apart(guest.header(b"content-type"), await read_whole(receive, page.most_bytes), page.most_bytes)
        token = guest.token if guest.person else guest.guest_token
        sessions.require_own_form(sent.typed.get(forms.TOKEN, ""), token, self._outside.sessions)
        try:
            return await self._do(page, guest, held, sent)
        except _FORM_AGAIN as refused:
            if page.again is None:
                raise
            return await self._again(page, guest, held, sent, refused)

    def _found(self, method: str, path: str) -> tuple[Page, dict[str, str]]:
        try:
            return self._router.find(method, path)
        except NotFound:
            refusal = NotFound()
            refusal.message = "There is no page at this address. It may have been moved or deleted."
            raise refusal from None

    async def _recognise(self, guest: Guest) -> None:
        """Find out who is signed in, and write down now and then that they were there."""
        if guest.token is None:
            return
        hashes = self._outside.sessions(guest.token)

        def find(tx: Tx) -> Person | None:
            return next(filter(None, (session_actions.find(tx, one) for one in hashes)), None)

        person = guest.person = await self._database.reading(find, at_once=False)
        if person is not None and person.seen_at < timestamp(self._database.clock() - SEEN_EVERY):
            self._note(person)

    def _note(self, person: Person) -> None:
        if person.session_id not in self._noting:
            work = self._pools.write(lambda: self._database.write(lambda tx: session_actions.note_seen(tx, person)))
            task = self._noting[person.session_id] = asyncio.ensure_future(work)

            def noted(done: "asyncio.Task[None]") -> None:
                del self._noting[person.session_id]
                if not done.cancelled():
                    done.exception()  # that it could not be written is no reason to refuse a page

            task.add_done_callback(noted)

    def _to_sign_in(self, guest: Guest, page: Page) -> Reply:
        """To the form that signs in, and from there back to where the person was; nothing is lost without a word."""
        is_form = page.method == "POST"
        wanted = (
            guest.came_from if is_form else guest.path + (f"?{guest.query.decode('latin-1')}" if guest.query else "")
        )
        to = "/sign-in" if wanted == "/" else f"/sign-in?then={quote(wanted, safe='/')}"
        said = _SIGNED_OUT if is_form and guest.token else ""
        return self._looks.go(GoTo(to, said, warns=True), has_script=guest.wants_part)

    async def _do(self, page: Page, guest: Guest, held: dict[str, str], sent: Sent) -> Reply | Spooled:
        """What the page does, with what was sent."""
        if page.may is not None and guest.person and not may(guest.person.role, page.may):
            raise Forbidden(_NOT_ALLOWED[page.may])
        query, wrong = self._query(page, guest)
        if wrong and page.method == "POST":
            raise InvalidRequest.because(wrong)
        form = read_form(sent.pairs, page.form, self._outside.forms(guest.locale)) if page.form else None
        if page.in_steps:
            answered = await page.work(self._steps(guest, held, query, form, sent))
        else:
            answered = await self._in_one(page.work, not page.only_reads, guest, held, query, form, sent)
        if not wrong:
            return await self._reply(guest, answered)
        if not isinstance(answered, Shown):  # a file of more than was asked for would deceive
            raise InvalidRequest.because(wrong)
        said = {
            "said": f"Not all of this page's address could be read. {_plainly(wrong[0].message)}",
            "said_kind": "warn",
        }
        answered = answered._replace(status=InvalidRequest.status, values={**answered.values, **said})
        return await self._shown(guest, answered, Filled(answered.filled, _beside(wrong)))

    async def _in_one(
        self, work: Any, writes: bool, guest: Guest, held: dict[str, str], query: Any, form: Any, sent: Sent
    ) -> Answered:
        person = guest.person
        assert person is not None, "only pages of steps are for everybody"

        def run(tx: Tx) -> Answered:
            answered: Answered = work(Ask(tx, person, held, query, form, sent.files, self._outside, sent.typed))
            return answered

        if writes:
            return await self._pools.write(lambda: self._database.write(run))
        return await self._pools.page(lambda: self._database.snapshot(run))

    def _steps(self, guest: Guest, held: dict[str, str], query: Any, form: Any, sent: Sent) -> StepsAtDesk:
        return StepsAtDesk(
            guest.person, held, form, sent.files, query, self._outside, guest.address, guest.header(b"user-agent"),
            self._database, self._pools, self._limiter,
        )  # fmt: skip

    def _query(self, page: Page, guest: Guest) -> tuple[Struct, tuple[Problem, ...]]:
        """What the address asks of the page, and what is wrong with it."""
        try:
            pairs = parse_qsl(guest.query.decode("ascii"), errors="strict", max_num_fields=MOST_PARAMETERS)
        except ValueError:
            raise InvalidRequest("The address of this page can't be read. Go back and try again.") from None
        return read_address(pairs, page.query or NoQuery)

    async def _again(self, page: Page, guest: Guest, held: dict[str, str], sent: Sent, refused: Refusal) -> Reply:
        """The form once more, with what was typed and what is wrong with it."""
        query = NoQuery()
        if iscoroutinefunction(page.again):
            answered = await page.again(self._steps(guest, held, query, sent.typed, sent))
        else:
            answered = await self._in_one(page.again, False, guest, held, query, None, sent)
        if not isinstance(answered, Shown):  # the form is not there any more
            raise refused
        filled = forms.once_more(answered.filled, {**forms.unticked(page.form), **sent.typed}, refused)
        reply = await self._shown(guest, answered._replace(status=refused.status), filled)
        return reply._replace(headers=[*reply.headers, *_headers_of(refused)])

    async def _reply(self, guest: Guest, answered: Answered) -> Reply | Spooled:
        match answered:
            case Shown():
                return await self._shown(guest, answered, Filled(answered.filled, {}))
            case GoTo():
                return self._looks.go(answered, has_script=guest.wants_part)
            case Download():
                return self._looks.download(answered)
            case Streamed():
                return await self._pools.export(lambda: spooled(answered, self._database))

    async def _shown(self, guest: Guest, shown: Shown, filled: Filled) -> Reply:
        """A page as HTML, made in a thread: a long table takes a while."""
        new_guest = None if guest.person or guest.guest_token else sessions.new_token()
        token = (guest.token if guest.person else None) or guest.guest_token or new_guest or ""
        cookie = guest.header(b"cookie")
        body = await self._pools.page(lambda: self._looks.page(shown, filled, guest.person, guest.path, cookie, token))
        headers = [*HEADERS, (b"content-length", b"%d" % len(body))]
        if new_guest:
            headers.append(self._cookies.write(sessions.GUEST, new_guest, seconds=86_400))
        if self._cookies.said(cookie)[0]:
            headers.append(self._cookies.write(sessions.SAID, "", seconds=0))
        return Reply(shown.status, headers, body)


_SIGNED_OUT = "You were signed out meanwhile, so nothing was saved. Sign in, and enter it once more."
_NOT_ALLOWED = {
    "read": "You may not see this. Ask an owner of the account.",
    "write": "You may look at everything here, and change nothing. Ask an owner of the account to make you a manager.",
    "manage": "Only an owner of the account may do this. Ask one, or have yourself made one.",
}


def _plainly(message: str) -> str:
    return message.replace("`", "")[:1].upper() + message.replace("`", "")[1:]


def _beside(problems: Sequence[Problem]) -> dict[str, str]:
    return {problem.field: forms.in_a_persons_words(*problem) for problem in problems}


def _headers_of(refusal: Refusal) -> list[tuple[bytes, bytes]]:
    return [(name, value) for name, value in error_headers(refusal) if name != b"www-authenticate"]
