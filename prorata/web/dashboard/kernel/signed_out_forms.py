"""Answers to requests that need a session but have none: the sign-in form.

A form that was submitted is kept and shown again after signing in. `saved_forms` defines what is kept, and for
whom it is opened.
"""

from urllib.parse import quote

from prorata.domain.texts import say
from prorata.errors import Forbidden, Refusal
from prorata.store.database.engine import Database
from prorata.web.dashboard.kernel import forms
from prorata.web.dashboard.kernel.form_bodies import Sent
from prorata.web.dashboard.kernel.form_redisplay import FormsAgain
from prorata.web.dashboard.kernel.forms import Filled, read_address
from prorata.web.dashboard.kernel.page_runner import PageWork
from prorata.web.dashboard.kernel.pages import GoTo, Outside, Page, Shown
from prorata.web.dashboard.kernel.request_user import Guest, require_role
from prorata.web.dashboard.kernel.responses import Looks
from prorata.web.dashboard.kernel.return_addresses import Places
from prorata.web.dashboard.kernel.saved_forms import KEPT, NOT_THEIRS, NOT_THERE, Kept, KeptForms
from prorata.web.http.operation_runner import NoQuery, Reply
from prorata.web.http.routing import Router

SIGNED_OUT = say("You were signed out, so nothing was saved. Sign in, and enter it again.")
_ASKED_OUT = say("You were signed out. Sign in to go back to where you were.")


class SignedOutForms:
    """A builder of the answers that lead to the sign-in form and back."""

    def __init__(
        self,
        database: Database,
        outside: Outside,
        router: Router[Page],
        looks: Looks,
        work: PageWork,
        again: FormsAgain,
    ) -> None:
        self._database = database
        self._hasher = outside.sessions
        self._router = router
        self._places = Places(router)
        self._looks = looks
        self._work = work
        self._again = again
        self._kept = KeptForms(outside.vault, outside.sessions, database.clock)

    def kept_in(self, sent: Sent) -> Kept | None:
        """Open the earlier form that a submitted sign-in form contains.

        Return None if the sign-in form contains none, or if the earlier form is invalid or too old.
        """
        return self._kept.open(sent.typed.get(KEPT, ""))

    def to_sign_in(self, guest: Guest, page: Page) -> Reply:
        """Redirect to the sign-in form, which afterwards returns the person to the requested page.

        If a submitted form is lost, a message says so.
        """
        is_form = page.method == "POST"
        wanted = self._places.nearest(guest.came_from) if is_form else guest.asked
        to = "/sign-in" if wanted == "/" else f"/sign-in?then={quote(wanted, safe='/')}"
        message = (SIGNED_OUT if is_form else _ASKED_OUT if guest.wants_part else "") if guest.token else ""
        return self._looks.go(GoTo(to, message, warns=True), guest, has_script=guest.wants_part)

    async def sign_in_first(self, page: Page, guest: Guest, sent: Sent) -> Reply:
        """Show the sign-in form, which keeps the form that the person has submitted.

        If the submitted form can't be kept, redirect to the sign-in form without it.
        """
        sealed = self._kept.seal(page, guest, sent)
        if sealed is None:
            return self.to_sign_in(guest, page)
        door, held = self._router.find("GET", "/sign-in")
        query, _ = read_address([("then", self._places.nearest(guest.came_from))], door.query or NoQuery)
        asked = await door.work(self._work.steps(door, guest, held, query, None, Sent([], {})))
        if not isinstance(asked, Shown):
            return self.to_sign_in(guest, page)
        values = {**asked.values, "said": sealed.said, "said_kind": "warn"}
        shown = asked._replace(values=values, status=Forbidden.status)
        return await self._work.shown(guest, shown, Filled({**asked.filled, KEPT: sealed.text}, {}))

    async def resumed(self, guest: Guest, goto: GoTo, kept: Kept) -> Reply:
        """Show the kept form, as filled in, to the person who has just signed in.

        The form takes effect only when it is sent again. If the form belongs to another member, or can't be shown,
        redirect with a message instead. `goto` is the redirect that begins the session.
        """
        assert goto.session is not None, "somebody has just signed in"
        hashes = self._hasher(goto.session)
        back = guest.as_signed_in(goto.session, hashes, kept.path, kept.query)
        person = back.person = await self._database.reading(back.find, at_once=False)
        if person is None or not self._kept.is_of(kept, person.member_id):
            return self._looks.go(goto._replace(path="/", said=NOT_THEIRS, warns=True), guest, has_script=False)
        page, held = self._router.find("POST", kept.path)
        try:
            require_role(page, person)
            shown, page_path = await self._again.form_of(page, back, held, kept.sent)
        except Refusal:
            return self._looks.go(goto._replace(said=NOT_THERE, warns=True), guest, has_script=False)
        typed = {**shown.filled, **forms.unticked(page.form), **kept.sent.typed}
        shown = shown._replace(values={**shown.values, "said": kept.said, "said_kind": "warn"}, status=200)
        reply = await self._work.shown(back, shown, Filled(typed, shown.problems), page_path)
        cookies = [
            header for header in self._looks.go(goto, guest, has_script=False).headers if header[0] == b"set-cookie"
        ]
        return reply._replace(headers=[*reply.headers, *cookies])
