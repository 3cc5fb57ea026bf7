"""Refused forms, which are shown again with their input, their errors and a valid token."""

from collections.abc import Sequence
from inspect import iscoroutinefunction
from typing import Any

from prorata.actions.accounts.api_keys import KeyHasher
from prorata.domain.callers import Person
from prorata.domain.texts import say
from prorata.errors import Conflict, Forbidden, InvalidRequest, NotFound, Refusal
from prorata.web.dashboard.kernel import forms, sessions
from prorata.web.dashboard.kernel.error_pages import headers_of
from prorata.web.dashboard.kernel.form_bodies import Sent
from prorata.web.dashboard.kernel.page_runner import PageWork
from prorata.web.dashboard.kernel.pages import Answered, Page, Shown
from prorata.web.dashboard.kernel.request_user import Guest
from prorata.web.dashboard.kernel.saved_forms import NOT_THEIRS
from prorata.web.dashboard.kernel.sessions import StaleForm
from prorata.web.http.operation_runner import NoQuery, Reply


class FormsAgain:
    """A renderer that shows refused forms again."""

    def __init__(self, work: PageWork, pages: Sequence[Page], hasher: KeyHasher) -> None:
        self._work = work
        self._opened = {page.work: page for page in pages if page.method == "GET"}
        self._hasher = hasher

    async def once_more(self, page: Page, guest: Guest, held: dict[str, str], sent: Sent, refused: Refusal) -> Reply:
        """Show a refused form again, with its input, its errors and a valid token.

        Raises `Forbidden` if another member filled in the form. If the form can't be shown again, raises
        `refused`, or `NotFound` if its record is gone.
        """
        if isinstance(refused, StaleForm) and guest.person and self._is_of_another(guest.person, sent):
            raise Forbidden(NOT_THEIRS)
        try:
            shown, page_path = await self.form_of(page, guest, held, sent)
        except NotFound as gone:
            raise (refused if isinstance(refused, StaleForm) else gone) from None
        except Refusal:  # it can't be shown now
            raise refused from None
        typed = {**forms.unticked(page.form), **sent.typed}
        filled = forms.once_more(shown.filled, typed, refused, shown.problems)
        reply = await self._work.shown(guest, shown._replace(status=refused.status), filled, page_path)
        return reply._replace(headers=[*reply.headers, *headers_of(refused)])

    async def html_of(self, page: Page, guest: Guest, held: dict[str, str], sent: Sent, refused: Refusal) -> str:
        """Return the HTML of the whole page that shows a refused form again.

        Return an empty string if the form can't be shown again.
        """
        try:
            reply = await self.once_more(page, guest.as_without_script(), held, sent, refused) if page.again else None
            return reply.body.decode() if reply else ""
        except Refusal:
            return ""

    async def form_of(self, page: Page, guest: Guest, held: dict[str, str], sent: Sent) -> tuple[Shown, str]:
        """Return the page that contains the submitted form, and the page's address.

        `held` contains the values of the parameters in the path. Raises `Refusal` if the page can't be shown.
        """
        home = self._opened.get(page.again)
        query = forms.query_of(home.query if home else None, sent.pairs)
        answered = await self._opened_again(page, guest, held, query, sent)
        if not isinstance(answered, Shown):
            raise Conflict(say("This form is no longer available."))
        return answered, home.path.format_map(held) if home else ""

    async def _opened_again(self, page: Page, guest: Guest, held: dict[str, str], query: Any, sent: Sent) -> Answered:
        try:
            if iscoroutinefunction(page.again):
                answered: Answered = await page.again(self._work.steps(page, guest, held, query, sent.typed, sent))
                return answered
            return await self._work.in_one(page, page.again, False, guest, held, query, None, sent)
        except InvalidRequest:
            if isinstance(query, NoQuery):
                raise
            return await self._opened_again(page, guest, held, NoQuery(), sent)  # the query was refused

    def _is_of_another(self, person: Person, sent: Sent) -> bool:
        token = sent.typed.get(forms.TOKEN, "")
        return sessions.says_by_whom(token) and not sessions.is_filled_in_by(token, person.member_id, self._hasher)
