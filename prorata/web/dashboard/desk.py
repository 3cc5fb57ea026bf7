"""The desk: every request to a page, from who asks to the page that is shown.

Checks come in this order: is there such a page, who is it, may they, does a change come from our own form, what did
they send. What is refused is a page too: a sentence that says what to do, or the form once more.
"""

import asyncio
from collections.abc import Sequence
from inspect import iscoroutinefunction
from typing import Any
from urllib.parse import parse_qsl, quote

from msgspec import Struct

from prorata.actions import sessions as session_actions
from prorata.domain.people import SEEN_EVERY, Person
from prorata.domain.problems import Problem
from prorata.errors import (
    Conflict,
    Forbidden,
    InvalidRequest,
    NotFound,
    RateLimited,
    Refusal,
    Unavailable,
)
from prorata.ports import Limiter
from prorata.store.engine import Database, Tx, timestamp
from prorata.web.bodies import Body
from prorata.web.dashboard import forms, sessions
from prorata.web.dashboard.assets import ROOT, by_path
from prorata.web.dashboard.form_bodies import AT_ONCE, Sent, most_of, taken_apart
from prorata.web.dashboard.forms import Filled, read_address, read_form
from prorata.web.dashboard.guests import Guest, SignedOut, guest_of, require_role
from prorata.web.dashboard.kept_forms import KEPT, NOT_THEIRS, NOT_THERE, Kept, KeptForms
from prorata.web.dashboard.looks import Looks
from prorata.web.dashboard.pages import LARGEST_FORM, Answered, Ask, Download, GoTo, Outside, Page, Shown, Streamed
from prorata.web.dashboard.places import Places
from prorata.web.dashboard.refusals import in_a_persons_words
from prorata.web.dashboard.rendering import HEADERS, REFERRER, UNLISTED, is_unlisted
from prorata.web.dashboard.sessions import StaleForm
from prorata.web.dashboard.steps import StepsAtDesk
from prorata.web.dashboard.streams import Exports, Receive, Spool
from prorata.web.dashboard.trials import Over, on_trial
from prorata.web.deadlines import in_time, read_whole, seconds_for
from prorata.web.errors import as_refusal, error_headers
from prorata.web.pools import Pools
from prorata.web.routing import Router
from prorata.web.serving import MOST_PARAMETERS, NoQuery, Reply
from prorata.web.visits import Visit

_FORM_AGAIN = (InvalidRequest, Conflict, RateLimited, Unavailable, StaleForm)
WITHOUT_END = ("1", "1.0")
"""HTTP/1.0, as granian and ASGI call it. An answer's end has no mark there: half a file would pass for a whole one."""


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
        self._places = Places(self._router)
        self._first = {page.path.split("/")[1] for page in pages}
        self._secret = {page.path.split("/")[1]: page.path for page in pages if "{token}" in page.path}
        self._opened = {page.work: page for page in pages if page.method == "GET"}
        self._cookies = sessions.Cookies(outside.settings.base_url)
        self._looks = Looks(self._cookies, outside, database.clock)
        self._exports = Exports(database, pools)
        self._kept = KeptForms(outside.vault, outside.sessions, database.clock)
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
        guest = guest_of(visit.scope, headers, self._cookies, self._outside)
        visit.headers = [*self._cookies.headers, *(UNLISTED if is_unlisted(path) else REFERRER)]
        visit.path_to_log = self._secret.get(path.split("/")[1])
        reply: Reply | Streamed | Spool
        try:
            reply = await self._answered(visit, guest, receive)
            if isinstance(reply, Streamed):
                whole = visit.scope.get("http_version") in WITHOUT_END
                account_id = guest.person.account_id if guest.person else ""
                reply = await self._exports.begin(reply, account_id, whole=whole)
        except Exception as failed:  # noqa: BLE001 - the page that says so
            reply = self._refused(visit, guest, as_refusal(failed))
        if isinstance(reply, Spool):
            size = reply.size if reply.is_whole else None
            await self._exports.hand_out(visit, reply, self._looks.keep(reply.name, reply.media, size), receive)
        else:
            await visit.answer(reply)

    def _refused(self, visit: Visit, guest: Guest, refusal: Refusal) -> Reply:
        """The page that says what was refused. It is small and made at once: the threads may be what is too busy."""
        values = {"refusal": refusal, "sentence": in_a_persons_words(refusal), "request_id": visit.request_id}
        values["is_unlisted"] = is_unlisted(guest.path)
        reply = self._made(guest, Shown("refused.html", values, status=refusal.status), Filled({}, {}))
        return reply._replace(headers=[*reply.headers, *_headers_of(refusal)])

    async def _answered(self, visit: Visit, guest: Guest, receive: Receive) -> Reply | Streamed:
        await self._recognise(guest)
        visit.person = guest.person
        page, held = self._router.find("GET" if guest.is_get else visit.scope["method"], guest.path)
        visit.operation = page.name
        if page.may is not None and guest.person is None:
            return await self._kept_out(page, guest, receive)
        require_role(page, guest.person)
        if page.method == "GET":
            return await self._do(page, guest, held, Sent([], {}))
        base_url = self._outside.settings.base_url
        sessions.require_own_site(guest.headers, base_url, hides_origin=is_unlisted(guest.path))
        sent = await self._read(guest, receive, page.most_bytes)
        try:
            return await self._taken(page, guest, held, sent)
        except SignedOut:
            return await self._sign_in_first(page, guest.as_nobody(), sent)

    async def _read(self, guest: Guest, receive: Receive, most: int) -> Sent:
        """What a form sent. A large one is taken apart in a thread, so that it holds nobody else up."""
        content_type = guest.header(b"content-type")
        most = most_of(content_type, most)
        body = await in_time(read_whole(receive, most), seconds_for(most))
        if len(body) <= AT_ONCE:
            return taken_apart(content_type, body, most)
        return await self._pools.page(lambda: taken_apart(content_type, body, most))

    async def _taken(self, page: Page, guest: Guest, held: dict[str, str], sent: Sent) -> Reply | Streamed:
        """What a form does; or the form again."""
        # Who has signed in in another tab meanwhile still has a form of a guest in this one.
        tokens = (guest.token if guest.person else None, None if guest.person and page.may else guest.guest_token)
        try:
            sessions.require_own_form(sent.typed.get(forms.TOKEN, ""), tokens, self._outside.sessions)
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

    async def _kept_out(self, page: Page, guest: Guest, receive: Receive) -> Reply:
        """A page that is asked for when nobody is signed in. A form of our own waits until somebody is."""
        if page.method == "POST" and guest.wants_part:  # of a page whose form is still being filled in
            raise Forbidden(_SIGNED_OUT)
        if page.method == "GET" or page.again is None:
            return self._to_sign_in(guest, page)
        try:
            sessions.require_own_site(guest.headers, self._outside.settings.base_url)
            sent = await self._read(guest, receive, LARGEST_FORM)
        except Refusal:  # there is nothing to keep, or too much
            return self._to_sign_in(guest, page)
        return await self._sign_in_first(page, guest, sent)

    async def _sign_in_first(self, page: Page, guest: Guest, sent: Sent) -> Reply:
        """The page that asks to sign in, with the form that came; or the way to it, where the form can't be kept."""
        sealed = self._kept.seal(page, guest, sent)
        if sealed is None:
            return self._to_sign_in(guest, page)
        door, held = self._router.find("GET", "/sign-in")
        query, _ = read_address([("then", self._places.nearest(guest.came_from))], door.query or NoQuery)
        asked = await door.work(self._steps(door, guest, held, query, None, Sent([], {})))
        if not isinstance(asked, Shown):
            return self._to_sign_in(guest, page)
        values = {**asked.values, "said": sealed.said, "said_kind": "warn"}
        shown = asked._replace(values=values, status=Forbidden.status)
        return await self._shown(guest, shown, Filled({**asked.filled, KEPT: sealed.text}, {}))

    async def _resumed(self, guest: Guest, goto: GoTo, kept: Kept) -> Reply:
        """The form that came when its session was over, as it was typed, for whoever has just signed in: nothing of it
        is done before it is sent again.
        """
        assert goto.session is not None, "somebody has just signed in"
        hashes = self._outside.sessions(goto.session)
        back = guest.as_signed_in(goto.session, hashes, kept.path, kept.query)
        person = back.person = await self._database.reading(back.find, at_once=False)
        if person is None or not self._kept.is_of(kept, person.member_id):
            return self._looks.go(goto._replace(path="/", said=NOT_THEIRS, warns=True), has_script=False)
        page, held = self._router.find("POST", kept.path)
        try:
            require_role(page, person)
            shown, page_path = await self._form_of(page, back, held, kept.sent)
        except Refusal:
            return self._looks.go(goto._replace(said=NOT_THERE, warns=True), has_script=False)
        typed = {**shown.filled, **forms.unticked(page.form), **kept.sent.typed}
        shown = shown._replace(values={**shown.values, "said": kept.said, "said_kind": "warn"}, status=200)
        reply = await self._shown(back, shown, Filled(typed, shown.problems), page_path)
        cookies = [one for one in self._looks.go(goto, has_script=False).headers if one[0] == b"set-cookie"]
        return reply._replace(headers=[*reply.headers, *cookies])

    def _to_sign_in(self, guest: Guest, page: Page) -> Reply:
        """To the form that signs in, and from there back to where the person was; nothing is lost without a word."""
        is_form = page.method == "POST"
        wanted = self._places.nearest(guest.came_from) if is_form else guest.asked
        to = "/sign-in" if wanted == "/" else f"/sign-in?then={quote(wanted, safe='/')}"
        said = (_SIGNED_OUT if is_form else _ASKED_OUT if guest.wants_part else "") if guest.token else ""
        return self._looks.go(GoTo(to, said, warns=True), has_script=guest.wants_part)

    async def _do(self, page: Page, guest: Guest, held: dict[str, str], sent: Sent) -> Reply | Streamed:
        """What the page does, with what was sent."""
        query, wrong = self._query(page, guest)
        if wrong and page.method == "POST":
            raise InvalidRequest.because(wrong)
        try:
            form = read_form(sent.pairs, page.form, self._outside.forms(guest.locale)) if page.form else None
        except InvalidRequest as refused:
            raise await self._with_what_else_is_wrong(page, guest, held, query, sent, refused) from None
        if form is None and not page.own_fields:
            read_form(sent.pairs, _NoFields, self._outside.forms(guest.locale))
        if page.in_steps:
            answered = await page.work(self._steps(page, guest, held, query, form, sent))
        else:
            answered = await self._in_one(page, page.work, not page.only_reads, guest, held, query, form, sent)
        if isinstance(answered, GoTo) and answered.session and (kept := self._kept.open(sent.typed.get(KEPT, ""))):
            return await self._resumed(guest, answered, kept)
        if not wrong:
            return await self._reply(guest, answered)
        if not isinstance(answered, Shown):  # a file of more than was asked for would deceive
            raise InvalidRequest.because(wrong)
        said = {
            "said": f"Not all of this page's address could be read. {_plainly(wrong[0].message)}",
            "said_kind": "warn",
        }
        answered = answered._replace(status=InvalidRequest.status, values={**answered.values, **said})
        return await self._shown(guest, answered, Filled(answered.filled, forms.beside(wrong)))

    async def _with_what_else_is_wrong(
        self, page: Page, guest: Guest, held: dict[str, str], query: Any, sent: Sent, refused: InvalidRequest
    ) -> InvalidRequest:
        """What a form is refused for that could not be read whole, with what its work would refuse of the rest."""
        assert page.form is not None, "the form of the page could not be read"
        rest = forms.read_rest(sent.pairs, page.form, self._outside.forms(guest.locale))
        if rest is None or page.in_steps or page.only_reads:
            return refused
        try:
            await self._in_one(page, on_trial(page.work), True, guest, held, query, rest, sent)
        except Over as over:
            return InvalidRequest.because(forms.further(page.form, refused.problems, over.problems))
        except Refusal:  # which whoever sends it again learns
            return refused
        raise AssertionError("a trial is always over")

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
        cookie = guest.header(b"cookie")
        return StepsAtDesk(
            guest.person, held, form, sent.typed, sent.files, sent.uploads, query, self._outside, guest.address,
            guest.header(b"user-agent"), guest.header(b"accept-language"),
            self._cookies.read(cookie, sessions.KNOWN) or "", self._database, self._pools, self._limiter,
            guest.confirming(page),
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
        if isinstance(refused, StaleForm) and guest.person and self._is_of_another(guest.person, sent):
            raise Forbidden(NOT_THEIRS)
        try:
            shown, page_path = await self._form_of(page, guest, held, sent)
        except NotFound as gone:
            raise (refused if isinstance(refused, StaleForm) else gone) from None
        except Refusal:  # it can't be shown just now
            raise refused from None
        typed = {**forms.unticked(page.form), **sent.typed}
        filled = forms.once_more(shown.filled, typed, refused, shown.problems)
        reply = await self._shown(guest, shown._replace(status=refused.status), filled, page_path)
        return reply._replace(headers=[*reply.headers, *_headers_of(refused)])

    def _is_of_another(self, person: Person, sent: Sent) -> bool:
        token = sent.typed.get(forms.TOKEN, "")
        return sessions.says_by_whom(token) and not sessions.is_filled_in_by(
            token, person.member_id, self._outside.sessions
        )

    async def _form_of(self, page: Page, guest: Guest, held: dict[str, str], sent: Sent) -> tuple[Shown, str]:
        """The page with a form's fields, and where it stands. Raises `Refusal` where it can't be shown."""
        home = self._opened.get(page.again)
        query = forms.query_of(home.query if home else None, sent.pairs)
        answered = await self._opened_again(page, guest, held, query, sent)
        if not isinstance(answered, Shown):
            raise Conflict("This form is not there any more.")
        return answered, home.path.format_map(held) if home else ""

    async def _opened_again(self, page: Page, guest: Guest, held: dict[str, str], query: Any, sent: Sent) -> Answered:
        try:
            if iscoroutinefunction(page.again):
                answered: Answered = await page.again(self._steps(page, guest, held, query, sent.typed, sent))
                return answered
            return await self._in_one(page, page.again, False, guest, held, query, None, sent)
        except InvalidRequest:
            if isinstance(query, NoQuery):
                raise
            return await self._opened_again(page, guest, held, NoQuery(), sent)  # it is the query that was refused

    async def _reply(self, guest: Guest, answered: Answered) -> Reply | Streamed:
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
                return answered

    async def _shown(self, guest: Guest, shown: Shown, filled: Filled, page_path: str = "") -> Reply:
        """A page as HTML, made in a thread: a long table takes a while."""
        return await self._pools.page(lambda: self._made(guest, shown, filled, page_path))

    def _made(self, guest: Guest, shown: Shown, filled: Filled, page_path: str = "") -> Reply:
        new_guest = None if guest.person or guest.guest_token else sessions.new_token()
        token = (guest.token if guest.person else None) or guest.guest_token or new_guest or ""
        body = self._looks.page(shown, filled, guest, self._places.of(guest, page_path), token)
        headers = [*HEADERS, (b"content-length", b"%d" % len(body))]
        if new_guest:
            headers.append(self._cookies.write(sessions.GUEST, new_guest, seconds=86_400))
        if self._cookies.said(guest.header(b"cookie"))[0]:
            headers.append(self._cookies.write(sessions.SAID, "", seconds=0))
        return Reply(shown.status, headers, body)


_SIGNED_OUT = "You were signed out meanwhile, so nothing was saved. Sign in, and enter it once more."
_ASKED_OUT = "You were signed out meanwhile. Sign in, and you are back where you were."


def _plainly(message: str) -> str:
    return message.replace("`", "")[:1].upper() + message.replace("`", "")[1:]


def _headers_of(refusal: Refusal) -> list[tuple[bytes, bytes]]:
    return [(name, value) for name, value in error_headers(refusal) if name != b"www-authenticate"]
