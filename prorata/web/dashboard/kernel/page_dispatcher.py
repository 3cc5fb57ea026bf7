"""The page dispatcher, which answers each page request, from authentication to the rendered page.

The checks come in this order: the page exists, the person is signed in and may open the page, a change comes from
one of our own forms, and the input is valid. A refusal is also answered with a page, which explains what to do or
shows the form again (`form_redisplay`). Requests without a session are handled by `signed_out_forms`.
`page_runner` runs pages' functions and renders their results.
"""

import asyncio
from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qsl

from msgspec import Struct

from prorata.actions.accounts import sessions as session_actions
from prorata.domain.callers import SEEN_EVERY, Person
from prorata.domain.problems import Problem
from prorata.domain.texts import joined, say
from prorata.errors import Conflict, Forbidden, InvalidRequest, RateLimited, Refusal, Unavailable
from prorata.ports import Limiter
from prorata.store.database.engine import Database, timestamp
from prorata.web.dashboard.kernel import forms, sessions
from prorata.web.dashboard.kernel.assets import FOR_EVER, ROOT, by_path
from prorata.web.dashboard.kernel.downloads import Exports, Spool
from prorata.web.dashboard.kernel.dry_runs import Over, on_trial
from prorata.web.dashboard.kernel.error_pages import headers_of, sentence_of
from prorata.web.dashboard.kernel.field_words import in_a_persons_words
from prorata.web.dashboard.kernel.form_bodies import Sent, most_of, taken_apart
from prorata.web.dashboard.kernel.form_previews import cannot_be
from prorata.web.dashboard.kernel.form_redisplay import FormsAgain
from prorata.web.dashboard.kernel.forms import Filled, read_address, read_form
from prorata.web.dashboard.kernel.page_runner import PageWork
from prorata.web.dashboard.kernel.pages import Answered, Download, GoTo, Outside, Page, Shown, Streamed
from prorata.web.dashboard.kernel.rendering import REFERRER, UNLISTED, is_unlisted
from prorata.web.dashboard.kernel.request_user import Guest, SignedOut, guest_of, require_role
from prorata.web.dashboard.kernel.responses import Looks
from prorata.web.dashboard.kernel.return_addresses import Places
from prorata.web.dashboard.kernel.sessions import StaleForm
from prorata.web.dashboard.kernel.signed_out_forms import SIGNED_OUT, SignedOutForms
from prorata.web.http.body_limits import Receive, read_cut
from prorata.web.http.errors import as_refusal
from prorata.web.http.limits import MOST_FORM_BYTES, MOST_PARAMETERS
from prorata.web.http.operation_runner import NoQuery, Reply
from prorata.web.http.pools import Pools
from prorata.web.http.request_context import Visit
from prorata.web.http.request_schemas import Body
from prorata.web.http.routing import Router
from prorata.web.http.sent_files import AT_ONCE

_FORM_AGAIN = (InvalidRequest, Conflict, RateLimited, Unavailable, StaleForm)
WITHOUT_END = ("1", "1.0")
"""The names of HTTP version 1.0 in granian and in ASGI.

The end of an HTTP/1.0 answer is not marked, so a partial file would pass for a complete one.
"""


class _NoFields(Body):
    """A form that has no fields except its token."""


class Desk:
    """The page dispatcher: an ASGI component that answers page requests."""

    def __init__(
        self, database: Database, pools: Pools, limiter: Limiter, outside: Outside, pages: Sequence[Page]
    ) -> None:
        self._database = database
        self._pools = pools
        self._outside = outside
        self._router = Router(pages)
        self._first = {page.path.split("/")[1] for page in pages}
        self._secret = {page.path.split("/")[1]: page.path for page in pages if "{token}" in page.path}
        self._cookies = sessions.Cookies(outside.settings.base_url)
        self._looks = Looks(self._cookies, outside, database.clock)
        self._exports = Exports(database, pools)
        self._work = PageWork(database, pools, limiter, outside, self._looks, Places(self._router))
        self._again = FormsAgain(self._work, pages, outside.sessions)
        self._signed_out = SignedOutForms(database, outside, self._router, self._looks, self._work, self._again)
        self._noting: dict[str, asyncio.Task[None]] = {}

    def has(self, path: str, headers: dict[bytes, bytes]) -> bool:
        """True if the dashboard answers a request for this path.

        This is so for paths that begin like a page's path, for static files, and for all requests that accept HTML, as
        those of browsers do.
        """
        return path.split("/")[1] in self._first or path.startswith(ROOT) or b"text/html" in headers.get(b"accept", b"")

    async def answer(self, visit: Visit, headers: dict[bytes, bytes], receive: Receive) -> None:
        """Answer one request for a page or a static file."""
        path: str = visit.scope["path"]
        if path.startswith(ROOT) and path in by_path():
            visit.operation = "static"
            visit.keeping = FOR_EVER
            asset = by_path()[path]
            status, about, body = asset.answer(
                headers.get(b"accept-encoding", b""),
                headers.get(b"if-none-match", b"").decode("latin-1") or None,
            )
            await visit.answer(Reply(status, about, body))
            return
        guest = guest_of(visit.scope, headers, self._cookies, self._outside)
        visit.headers = UNLISTED if is_unlisted(path) else REFERRER
        visit.path_to_log = self._secret.get(path.split("/")[1])
        reply: Reply | Streamed | Spool
        try:
            reply = await self._answered(visit, guest, receive)
            if isinstance(reply, Streamed):
                whole = visit.scope.get("http_version") in WITHOUT_END
                account_id = guest.person.account_id if guest.person else ""
                reply = await self._exports.begin(reply, account_id, whole=whole)
        except Exception as failed:  # noqa: BLE001 - shown as an error page
            reply = self._refused(visit, guest, as_refusal(failed))
        if isinstance(reply, Spool):
            size = reply.size if reply.is_whole else None
            await self._exports.hand_out(visit, reply, self._looks.keep(reply.name, reply.media, size), receive)
        else:
            await visit.answer(reply)

    def _refused(self, visit: Visit, guest: Guest, refusal: Refusal) -> Reply:
        """Return the error page for a refusal.

        The page is small, so it is rendered in the event loop's thread, because all other threads may be busy.
        """
        values = {"refusal": refusal, "sentence": sentence_of(refusal), "request_id": visit.request_id}
        values["is_unlisted"] = is_unlisted(guest.path)
        reply = self._work.made(guest, Shown("refused.html", values, status=refusal.status), Filled({}, {}))
        return reply._replace(headers=[*reply.headers, *headers_of(refusal)])

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
        if page.first is not None:
            nobody = self._work.steps(page, guest, held, None, None, Sent([], {}))
            if (refused := await page.first(nobody)) is not None:
                return await self._reply(guest, refused)
        sent = await self._read(guest, receive, page.most_bytes, page.cut_bytes)
        try:
            return await self._taken(page, guest, held, sent)
        except SignedOut:
            return await self._signed_out.sign_in_first(page, guest.as_nobody(), sent)

    async def _read(self, guest: Guest, receive: Receive, most: int, furthest: int = 0) -> Sent:
        """Receive and parse a submitted form.

        Up to `furthest` bytes of a multipart form are received, of which the first `most` are kept. A large form
        is parsed in a thread, so that it doesn't delay other requests.
        """
        content_type = guest.header(b"content-type")
        most, furthest = most_of(content_type, most), most_of(content_type, furthest)
        body, is_cut = await read_cut(receive, most, max(most, furthest))
        if len(body) <= AT_ONCE:
            return taken_apart(content_type, body, most, is_cut=is_cut)
        return await self._pools.page(lambda: taken_apart(content_type, body, most, is_cut=is_cut))

    async def _taken(self, page: Page, guest: Guest, held: dict[str, str], sent: Sent) -> Reply | Streamed:
        """Process a submitted form; if it is refused, show it again."""
        # After a sign-in in another tab, this tab still shows a guest's form.
        tokens = (guest.token if guest.person else None, None if guest.person and page.may else guest.guest_token)
        try:
            sessions.require_own_form(sent.typed.get(forms.TOKEN, ""), tokens, self._outside.sessions)
            return await self._do(page, guest, held, sent)
        except _FORM_AGAIN as refused:
            if page.is_preview and guest.wants_part:
                form = await self._again.html_of(page, guest, held, sent, as_refusal(refused))
                return await self._work.shown(guest, cannot_be(as_refusal(refused), form), Filled({}, {}))
            if page.again is None:
                raise
            return await self._again.once_more(page, guest, held, sent, as_refusal(refused))

    async def _recognise(self, guest: Guest) -> None:
        """Identify the signed-in person; from time to time, record the person's activity."""
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
                    done.exception()  # a failed write is no reason to refuse the page

            task.add_done_callback(noted)

    async def _kept_out(self, page: Page, guest: Guest, receive: Receive) -> Reply:
        """Answer a browser that requests a page without the session it needs.

        If the browser has sent one of our own forms, the sign-in page keeps the form.
        """
        if page.method == "POST" and guest.wants_part:  # part of a form that is still being filled in
            raise Forbidden(SIGNED_OUT)
        if page.method == "GET" or page.again is None:
            return self._signed_out.to_sign_in(guest, page)
        try:
            sessions.require_own_site(guest.headers, self._outside.settings.base_url)
            sent = await self._read(guest, receive, MOST_FORM_BYTES)
        except Refusal:  # nothing to keep, or too much
            return self._signed_out.to_sign_in(guest, page)
        return await self._signed_out.sign_in_first(page, guest, sent)

    async def _do(self, page: Page, guest: Guest, held: dict[str, str], sent: Sent) -> Reply | Streamed:
        """Run the page's function with the submitted form."""
        query, wrong = self._query(page, guest)
        if wrong and page.method == "POST":
            raise InvalidRequest.because(wrong)
        try:
            form = read_form(sent.pairs, page.form, self._outside.forms(guest.locale)) if page.form else None
        except InvalidRequest as refused:
            raise await self._with_what_else_is_wrong(page, guest, held, query, sent, refused) from None
        if page.own_fields:
            forms.refuse_controls(sent.pairs)
        elif form is None:
            read_form(sent.pairs, _NoFields, self._outside.forms(guest.locale))
        answered: Answered
        if page.is_preview:
            answered = await self._work.previewed(page, guest, held, query, form, sent)
        elif page.in_steps:
            answered = await page.work(self._work.steps(page, guest, held, query, form, sent))
        else:
            answered = await self._work.in_one(page, page.work, page.writes, guest, held, query, form, sent)
        if isinstance(answered, GoTo) and answered.session and (kept := self._signed_out.kept_in(sent)):
            return await self._signed_out.resumed(guest, answered, kept)
        if not wrong:
            return await self._reply(guest, answered)
        if not isinstance(answered, Shown):  # a file with more than was requested would mislead
            raise InvalidRequest.because(wrong)
        notice = {
            "said": joined([say("Part of this page’s address was ignored."), in_a_persons_words(*wrong[0])]),
            "said_kind": "warn",
        }
        answered = answered._replace(status=InvalidRequest.status, values={**answered.values, **notice})
        return await self._work.shown(guest, answered, Filled(answered.filled, forms.beside(wrong)))

    async def _with_what_else_is_wrong(
        self, page: Page, guest: Guest, held: dict[str, str], query: Any, sent: Sent, refused: InvalidRequest
    ) -> InvalidRequest:
        """Add to a form's parsing errors those that the page's function would raise."""
        assert page.form is not None, "the form of the page could not be read"
        rest = forms.read_rest(sent.pairs, page.form, self._outside.forms(guest.locale))
        if rest is None or page.in_steps or not page.writes:
            return refused
        try:
            await self._work.in_one(page, on_trial(page.work), True, guest, held, query, rest, sent)
        except Over as over:
            return InvalidRequest.because(forms.further(page.form, refused.problems, over.problems))
        except Refusal:  # the next attempt shows it
            return refused
        raise AssertionError("A trial must end by raising `Over`.")

    def _query(self, page: Page, guest: Guest) -> tuple[Struct, tuple[Problem, ...]]:
        """Parse the query of the page's address, and collect its problems."""
        try:
            pairs = parse_qsl(guest.query.decode("ascii"), errors="strict", max_num_fields=MOST_PARAMETERS)
        except ValueError:
            raise InvalidRequest(say("The address of this page couldn't be read. Go back and try again.")) from None
        return read_address(pairs, page.query or NoQuery)

    async def _reply(self, guest: Guest, answered: Answered) -> Reply | Streamed:
        match answered:
            case Shown():
                return await self._work.shown(
                    guest, answered, Filled(answered.filled, answered.problems, answered.wrong, answered.there)
                )
            case GoTo():
                return self._looks.go(answered, guest, has_script=guest.wants_part)
            case Download():
                return self._looks.download(answered)
            case Streamed():
                return answered
