"""The desk: every request to a page, from who asks to the page that is shown.

Checks come in this order: is there such a page, who is it, may they, does a change come from our own form, what did
they send. What is refused is a page too: a sentence that says what to do, or the form once more.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from inspect import iscoroutinefunction
from typing import Any
from urllib.parse import parse_qsl, quote

import msgspec
from msgspec import Struct

from prorata.actions import sessions as session_actions
from prorata.domain.people import SEEN_EVERY, Person
from prorata.domain.problems import Problem
from prorata.errors import Conflict, InvalidRequest, MethodNotAllowed, NotFound, RateLimited, Refusal, Unavailable
from prorata.ports import Limiter
from prorata.store.engine import Database, Tx, timestamp
from prorata.web.auth import client_address
from prorata.web.bodies import Body
from prorata.web.dashboard import forms, sessions
from prorata.web.dashboard.assets import ROOT, by_path
from prorata.web.dashboard.forms import Filled, Sent, read_address, read_form, read_whole, taken_apart
from prorata.web.dashboard.guests import Guest, SignedOut, Stands, require_role
from prorata.web.dashboard.looks import Looks
from prorata.web.dashboard.pages import Answered, Ask, Download, GoTo, Outside, Page, Shown, Streamed
from prorata.web.dashboard.refusals import in_a_persons_words
from prorata.web.dashboard.rendering import HEADERS
from prorata.web.dashboard.sessions import StaleForm
from prorata.web.dashboard.steps import StepsAtDesk
from prorata.web.dashboard.streams import Spooled, spooled, taken
from prorata.web.deadlines import in_time, seconds_for
from prorata.web.decoding import read_query
from prorata.web.errors import as_refusal, error_headers
from prorata.web.pools import Pools
from prorata.web.routing import Router
from prorata.web.serving import MOST_PARAMETERS, NoQuery, Reply
from prorata.web.visits import Visit

_FORM_AGAIN = (InvalidRequest, Conflict, RateLimited, Unavailable, StaleForm)
_LONGEST_ADDRESS = 1_500
"""Of a page that leads back to itself: with a longer query it is gone back to without."""
Receive = Callable[[], Awaitable[dict[str, Any]]]


class _NoFields(Body):
    """A form that has nothing but its token."""


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
        self._secret = {page.path.split("/")[1]: page.path for page in pages if "{token}" in page.path}
        self._opened = {page.work: page for page in pages if page.method == "GET"}
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
        visit.path_to_log = self._secret.get(path.split("/")[1])
        try:
            reply = await self._answered(visit, guest, receive)
        except Exception as failed:  # noqa: BLE001 - the page that says so
            reply = self._refused(visit, guest, as_refusal(failed))
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
        token = self._cookies.token(cookie, sessions.SESSION)
        return Guest(
            person=None,
            token=token,
            hashes=self._outside.sessions(token) if token else (),
            guest_token=self._cookies.token(cookie, sessions.GUEST),
            headers=headers,
            address=client_address(peer, forwarded, self._outside.settings.trusted_proxies),
            query=scope["query_string"],
            path=scope["path"],
            is_get=scope["method"] in ("GET", "HEAD"),
        )

    def _refused(self, visit: Visit, guest: Guest, refusal: Refusal) -> Reply:
        """The page that says what was refused. It is small and made at once: the threads may be what is too busy."""
        values = {"refusal": refusal, "sentence": in_a_persons_words(refusal), "request_id": visit.request_id}
        reply = self._made(guest, Shown("refused.html", values, status=refusal.status), Filled({}, {}))
        return reply._replace(headers=[*reply.headers, *_headers_of(refusal)])

    async def _answered(self, visit: Visit, guest: Guest, receive: Receive) -> Reply | Spooled:
        await self._recognise(guest)
        visit.person = guest.person
        page, held = self._router.find("GET" if guest.is_get else visit.scope["method"], guest.path)
        visit.operation = page.name
        if page.may is not None and guest.person is None:
            return self._to_sign_in(guest, page)
        require_role(page, guest.person)
        if page.method == "GET":
            return await self._do(page, guest, held, Sent([], {}))
        sessions.require_own_site(guest.headers, self._outside.settings.base_url)
        body = await in_time(read_whole(receive, page.most_bytes), seconds_for(page.most_bytes))
        sent = taken_apart(guest.header(b"content-type"), body, page.most_bytes)
        try:
            return await self._taken(page, guest, held, sent)
        except SignedOut:
            return self._to_sign_in(guest, page)

    async def _taken(self, page: Page, guest: Guest, held: dict[str, str], sent: Sent) -> Reply | Spooled:
        """What a form does; or the form again."""
        token = guest.token if guest.person else guest.guest_token
        try:
            sessions.require_own_form(sent.typed.get(forms.TOKEN, ""), token, self._outside.sessions)
            return await self._do(page, guest, held, sent)
        except _FORM_AGAIN as refused:
            if page.again is None:
                raise
            return await self._again(page, guest, held, sent, as_refusal(refused))

    async def _recognise(self, guest: Guest) -> None:
        """Find out who is signed in, and write down now and then that they were there."""
        if guest.token is None:
            return
        person = guest.person = await self._database.reading(guest.find, at_once=False)
        if person is not None and person.seen_at < timestamp(self._database.clock() - SEEN_EVERY):
            self._note(person)

    def _note(self, person: Person) -> None:
        if person.session_id not in self._noting:
            work = self._pools.write_briefly(
                lambda: self._database.write(lambda tx: session_actions.note_seen(tx, person))
            )
            task = self._noting[person.session_id] = asyncio.ensure_future(work)

            def noted(done: "asyncio.Task[None]") -> None:
                del self._noting[person.session_id]
                if not done.cancelled():
                    done.exception()  # that it could not be written is no reason to refuse a page

            task.add_done_callback(noted)

    def _to_sign_in(self, guest: Guest, page: Page) -> Reply:
        """To the form that signs in, and from there back to where the person was; nothing is lost without a word."""
        is_form = page.method == "POST"
        wanted = self._place(guest.came_from) if is_form else guest.asked
        to = "/sign-in" if wanted == "/" else f"/sign-in?then={quote(wanted, safe='/')}"
        said = (_SIGNED_OUT if is_form else _ASKED_OUT if guest.wants_part else "") if guest.token else ""
        return self._looks.go(GoTo(to, said, warns=True), has_script=guest.wants_part)

    def _place(self, address: str) -> str:
        """An address that can be opened: this one with its query, or else the nearest above it."""
        path, _, query = address.partition("?")
        place = path
        while place not in ("", "/"):
            try:
                self._router.find("GET", place)
            except (NotFound, MethodNotAllowed):
                place = place.rpartition("/")[0]
            else:
                return address if place == path else place
        return f"/?{query}" if path == "/" and query else "/"

    def _stands(self, guest: Guest, page_path: str = "") -> Stands:
        """Where what a guest is shown stands; `page_path` where that is known to be elsewhere than was asked for."""
        own = self._place(guest.asked if guest.is_get else guest.came_from or guest.path)
        if len(own) > _LONGEST_ADDRESS:
            own = own.partition("?")[0]
        return Stands(guest.path, page_path or self._place(guest.path), own, guest.is_get)

    async def _do(self, page: Page, guest: Guest, held: dict[str, str], sent: Sent) -> Reply | Spooled:
        """What the page does, with what was sent."""
        query, wrong = self._query(page, guest)
        if wrong and page.method == "POST":
            raise InvalidRequest.because(wrong)
        form = read_form(sent.pairs, page.form, self._outside.forms(guest.locale)) if page.form else None
        if form is None and not page.own_fields:
            read_form(sent.pairs, _NoFields, self._outside.forms(guest.locale))
        if page.in_steps:
            answered = await page.work(self._steps(page, guest, held, query, form, sent))
        else:
            answered = await self._in_one(page, page.work, not page.only_reads, guest, held, query, form, sent)
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
        self, page: Page, work: Any, writes: bool, guest: Guest, held: dict[str, str], query: Any, form: Any, sent: Sent
    ) -> Answered:
        confirm = guest.confirming(page)

        def run(tx: Tx) -> Answered:
            person = confirm(tx)
            assert person is not None, "only pages of steps are for everybody"
            answered: Answered = work(Ask(tx, person, held, query, form, sent.files, self._outside, sent.typed))
            return answered

        if writes:
            return await self._pools.write(lambda: self._database.write(run))
        return await self._pools.page(lambda: self._database.snapshot(run))

    def _steps(self, page: Page, guest: Guest, held: dict[str, str], query: Any, form: Any, sent: Sent) -> StepsAtDesk:
        return StepsAtDesk(
            guest.person, held, form, sent.files, query, self._outside, guest.address, guest.header(b"user-agent"),
            self._database, self._pools, self._limiter, guest.confirming(page),
        )  # fmt: skip

    def _query(self, page: Page, guest: Guest) -> tuple[Struct, tuple[Problem, ...]]:
        """What the address asks of the page, and what is wrong with it."""
        try:
            pairs = parse_qsl(guest.query.decode("ascii"), errors="strict", max_num_fields=MOST_PARAMETERS)
        except ValueError:
            raise InvalidRequest("The address of this page can't be read. Go back and try again.") from None
        return read_address(pairs, page.query or NoQuery)

    async def _again(self, page: Page, guest: Guest, held: dict[str, str], sent: Sent, refused: Refusal) -> Reply:
        """The form once more, with what was typed, what is wrong with it, and a token that will do."""
        home = self._opened.get(page.again)
        try:
            answered = await self._form_of(page, guest, held, _query_of(home, sent), sent)
        except NotFound as gone:
            raise (refused if isinstance(refused, StaleForm) else gone) from None
        except Refusal:  # it can't be shown just now
            raise refused from None
        if not isinstance(answered, Shown):
            raise refused
        typed = {**forms.unticked(page.form), **sent.typed}
        filled = forms.once_more(answered.filled, typed, refused, answered.problems)
        page_path = home.path.format_map(held) if home else ""
        reply = await self._shown(guest, answered._replace(status=refused.status), filled, page_path)
        return reply._replace(headers=[*reply.headers, *_headers_of(refused)])

    async def _form_of(self, page: Page, guest: Guest, held: dict[str, str], query: Any, sent: Sent) -> Answered:
        try:
            if iscoroutinefunction(page.again):
                answered: Answered = await page.again(self._steps(page, guest, held, query, sent.typed, sent))
                return answered
            return await self._in_one(page, page.again, False, guest, held, query, None, sent)
        except InvalidRequest:
            if isinstance(query, NoQuery):
                raise
            return await self._form_of(page, guest, held, NoQuery(), sent)  # it is the query that was refused

    async def _reply(self, guest: Guest, answered: Answered) -> Reply | Spooled:
        match answered:
            case Shown():
                return await self._shown(
                    guest, answered, Filled(answered.filled, answered.problems, answered.wrong, answered.there)
                )
            case GoTo():
                return self._looks.go(answered, has_script=guest.wants_part)
            case Download():
                return self._looks.download(answered)
            case Streamed():
                return await self._pools.export(lambda: spooled(answered, self._database))

    async def _shown(self, guest: Guest, shown: Shown, filled: Filled, page_path: str = "") -> Reply:
        """A page as HTML, made in a thread: a long table takes a while."""
        return await self._pools.page(lambda: self._made(guest, shown, filled, page_path))

    def _made(self, guest: Guest, shown: Shown, filled: Filled, page_path: str = "") -> Reply:
        new_guest = None if guest.person or guest.guest_token else sessions.new_token()
        token = (guest.token if guest.person else None) or guest.guest_token or new_guest or ""
        body = self._looks.page(shown, filled, guest, self._stands(guest, page_path), token)
        headers = [*HEADERS, (b"content-length", b"%d" % len(body))]
        if new_guest:
            headers.append(self._cookies.write(sessions.GUEST, new_guest, seconds=86_400))
        if self._cookies.said(guest.header(b"cookie"))[0]:
            headers.append(self._cookies.write(sessions.SAID, "", seconds=0))
        return Reply(shown.status, headers, body)


_SIGNED_OUT = "You were signed out meanwhile, so nothing was saved. Sign in, and enter it once more."
_ASKED_OUT = "You were signed out meanwhile. Sign in, and you are back where you were."


def _query_of(page: Page | None, sent: Sent) -> Struct:
    """The query under which a page shows a form again: a list stays as it was found, as its form says it."""
    if page is None or page.query is None:
        return NoQuery()
    names = {field.encode_name for field in msgspec.structs.fields(page.query)}
    try:
        return read_query([(name, value) for name, value in sent.pairs if name in names and value], page.query)
    except InvalidRequest:
        return NoQuery()


def _plainly(message: str) -> str:
    return message.replace("`", "")[:1].upper() + message.replace("`", "")[1:]


def _beside(problems: Sequence[Problem]) -> dict[str, str]:
    return {problem.field: forms.in_a_persons_words(*problem) for problem in problems}


def _headers_of(refusal: Refusal) -> list[tuple[bytes, bytes]]:
    return [(name, value) for name, value in error_headers(refusal) if name != b"www-authenticate"]
