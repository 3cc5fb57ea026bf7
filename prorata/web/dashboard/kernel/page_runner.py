"""Running pages' functions, in one transaction or in steps, and rendering their results."""

from dataclasses import dataclass
from typing import Any

from prorata.ports import Limiter
from prorata.store.database.engine import Database, Tx, rehearse
from prorata.web.dashboard.kernel import sessions
from prorata.web.dashboard.kernel.async_pages import Steps
from prorata.web.dashboard.kernel.form_bodies import Sent
from prorata.web.dashboard.kernel.form_previews import previewed
from prorata.web.dashboard.kernel.forms import Filled
from prorata.web.dashboard.kernel.pages import PREVIEW, Answered, Ask, Outside, Page, Shown
from prorata.web.dashboard.kernel.rendering import HEADERS
from prorata.web.dashboard.kernel.request_user import Guest
from prorata.web.dashboard.kernel.responses import Looks
from prorata.web.dashboard.kernel.return_addresses import Places
from prorata.web.http.operation_runner import Reply
from prorata.web.http.pools import Pools


@dataclass(frozen=True, slots=True)
class PageWork:
    """A runner of pages' functions, which also renders their results."""

    database: Database
    pools: Pools
    limiter: Limiter
    outside: Outside
    looks: Looks
    places: Places

    async def in_one(
        self, page: Page, work: Any, writes: bool, guest: Guest, held: dict[str, str], query: Any, form: Any, sent: Sent
    ) -> Answered:
        """Run a page's function in one transaction that first checks the person's rights."""
        confirm = guest.confirming(page)

        def run(tx: Tx) -> Answered:
            person = confirm(tx)
            assert person is not None, "only pages of steps are for everybody"
            files, typed = sent.files, sent.typed
            answered: Answered = work(Ask(tx, person, held, query, form, files, self.outside, typed, sent.pairs))
            return answered

        if writes:
            return await self.pools.write(lambda: self.database.write(run))
        return await self.pools.page(lambda: self.database.snapshot(run))

    async def previewed(
        self, page: Page, guest: Guest, held: dict[str, str], query: Any, form: Any, sent: Sent
    ) -> Shown:
        """Show how a page's change would affect invoices; the change is always rolled back."""
        confirm, to = guest.confirming(page), guest.path.removesuffix(PREVIEW)

        def run(tx: Tx) -> Shown:
            person = confirm(tx)
            assert person is not None, "nobody previews who is not signed in"
            ask = Ask(tx, person, held, query, form, sent.files, self.outside, sent.typed, sent.pairs)
            return previewed(page, ask, sent, to)

        return await self.pools.write(lambda: rehearse(self.database, run))

    def steps(self, page: Page, guest: Guest, held: dict[str, str], query: Any, form: Any, sent: Sent) -> Steps:
        """Build the `Steps` of a page that needs more than one transaction."""
        cookie = guest.header(b"cookie")
        return Steps(
            guest.person, held, form, sent.typed, sent.files, sent.uploads, query, self.outside, guest.address,
            guest.header(b"user-agent"), guest.header(b"accept-language"),
            self.looks.cookies.read(cookie, sessions.KNOWN) or "", self.database, self.pools, self.limiter,
            guest.confirming(page), sent.is_cut,
        )  # fmt: skip

    async def shown(self, guest: Guest, shown: Shown, filled: Filled, page_path: str = "") -> Reply:
        """Render a page in a thread, because a long table takes time."""
        return await self.pools.page(lambda: self.made(guest, shown, filled, page_path))

    def made(self, guest: Guest, shown: Shown, filled: Filled, page_path: str = "") -> Reply:
        """Render a page, and build the headers that set its cookies."""
        new_guest = None if guest.person or guest.guest_token else sessions.new_token()
        token = shown.session or (guest.token if guest.person else None) or guest.guest_token or new_guest or ""
        body = self.looks.page(shown, filled, guest, self.places.of(guest, page_path), token)
        headers = [*HEADERS, (b"content-length", b"%d" % len(body))]
        if shown.session:
            headers.append(self.looks.cookies.begin(shown.session))
        if new_guest:
            headers.append(self.looks.cookies.write(sessions.GUEST, new_guest, seconds=86_400))
        if self.looks.cookies.said(guest.header(b"cookie"))[0]:
            headers.append(self.looks.cookies.write(sessions.SAID, "", seconds=0))
        return Reply(shown.status, headers, body)
