"""The input and tools of pages that need more than one transaction."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from prorata.actions.privacy.read_files import ReadFiles, read_files
from prorata.domain.accounts.login_throttling import IN_A_NETWORK, network_of
from prorata.domain.callers import Caller, Person
from prorata.domain.exports.table_kinds import TableName
from prorata.domain.files.sheets import Sheet
from prorata.domain.intake.pointing.lessons import PageLesson
from prorata.domain.texts import say, say_n
from prorata.errors import RateLimited, Unavailable
from prorata.ports import Forms, Limiter, Window
from prorata.ports.files import IncomingFile, ReadBill
from prorata.store.database.engine import Database, Tx, rehearse
from prorata.web.dashboard.kernel import sessions
from prorata.web.dashboard.kernel.pages import Outside, Tried
from prorata.web.dashboard.kernel.trusted_browsers import Known
from prorata.web.http.pools import Pools
from prorata.web.http.sent_files import SentFile

Result = TypeVar("Result")
_SECONDS_OF_A_MINUTE, _AN_HOUR, _A_DAY = 60, 60, 24 * 60


@dataclass(frozen=True, slots=True)
class Steps:
    """A page request that is answered in steps: reading, computing and writing, in any order.

    Each step that uses the database is a transaction of its own.
    """

    person: Person | None
    path: dict[str, str]
    form: Any
    typed: Mapping[str, str]
    """The text of each form field exactly as it was typed.

    Pages use it for a form whose fields depend on the account.
    """
    files: Mapping[str, SentFile]
    uploads: Mapping[str, Sequence[SentFile]]
    """The files of form fields that may have several."""
    query: Any
    outside: Outside
    address: str
    user_agent: str
    languages: str
    """The languages that the browser requests."""
    known: str
    """The contents of the browser's cookie about the people who have signed in with it."""
    database: Database
    pools: Pools
    """The pools for work that needs no transaction.

    Such work hashes passwords, typesets PDFs, queries name servers, or needs much processor time.
    """
    limiter: Limiter
    confirm: Callable[[Tx], Person | None]
    """The check, inside a transaction, that the session is still valid and permits the action."""
    is_cut: bool = False
    """True if the form was too large, so that only its beginning is available."""

    @property
    def caller(self) -> Caller:
        """The account and person for whom the page works.

        Only pages that require a signed-in person may use this.
        """
        assert self.person is not None, "the page is for people who are signed in"
        return self.person.caller

    @property
    def forms(self) -> Forms:
        """The signed-in person's formats for money, days and numbers.

        If nobody is signed in, they are those of English.
        """
        return self.outside.forms(self.person.locale if self.person else "en")

    async def read(self, work: Callable[[Tx], Result]) -> Result:
        """Run work that only reads, on one unchanging snapshot of the database."""
        return await self.pools.page(lambda: self.database.snapshot(self._confirmed(work)))

    async def write(self, work: Callable[[Tx], Result]) -> Result:
        """Run work that reads and writes, in one transaction."""
        return await self.pools.write(lambda: self.database.write(self._confirmed(work)))

    async def rehearse(self, work: Callable[[Tx], Result]) -> Result:
        """Run work in one transaction that is then always rolled back."""
        return await self.pools.write(lambda: rehearse(self.database, self._confirmed(work)))

    def _confirmed(self, work: Callable[[Tx], Result]) -> Callable[[Tx], Result]:
        def run(tx: Tx) -> Result:
            self.confirm(tx)
            return work(tx)

        return run

    async def read_table(self, kind: TableName, data: bytes, sheet: int = 0) -> Sheet:
        """Read the rows of an uploaded file, in the thread for reading files.

        `sheet` is the number of a workbook's sheet, or 0 for the first sheet that contains a table of this `kind`.
        Raises `InvalidRequest` if the file can't be read.
        """
        return await self.pools.read_file(lambda: self.outside.read_table(kind, data, sheet))

    async def read_files(self, tenant_id: str) -> ReadFiles:
        """Read the stored files that may name a tenant, in the thread for long work."""
        return await self.pools.export(
            lambda: read_files(self.database, self.caller, tenant_id, self.outside.named_files)
        )  # fmt: skip

    async def files_in(self, file: SentFile) -> tuple[IncomingFile, ...]:
        """Return an uploaded file or, if it is an archive, the files in it.

        The type of a file is recognized by its content. Raises `InvalidRequest` if the uploaded file is not
        accepted.
        """
        return await self.pools.read_file(lambda: self.outside.files_in(file.name, file.content))

    async def read_bill(self, data: bytes, password: str | None, lessons: Sequence[PageLesson] = ()) -> ReadBill:
        """Read a bill from an uploaded file, in the thread for reading files.

        `password` opens a protected file, and `lessons` were learned from earlier bills. Raises `InvalidRequest`
        if the bill can't be read.
        """
        return await self.pools.read_file(lambda: self.outside.bills.read(data, password, lessons))

    async def picture(self, data: bytes, page: str) -> bytes:
        """Render one page of a PDF as PNG, in the thread for reading files.

        Raises `InvalidRequest` if the page can't be rendered, and `NotFound` if there is no such page.
        """
        return await self.pools.read_file(lambda: self.outside.picture(data, page))

    async def throttle(self, name: str, most: int, minutes: int) -> Tried:
        """Count an attempt under `name`.

        Raises `RateLimited` if there were more than `most` attempts within `minutes` minutes.
        """
        window = Window("tries", most, minutes * _SECONDS_OF_A_MINUTE)
        verdict = await self.limiter.admit(name, (window,))
        if not verdict.admitted:
            message = say("Too many attempts. Wait {time}, then try again.", time=_in_words(verdict.retry_after))
            raise RateLimited(message, retry_after=verdict.retry_after)
        return Tried(name, window, verdict.mark)

    async def throttle_here(self, name: str, most: int, minutes: int) -> list[Tried]:
        """Count an attempt for the client's address, and for the network that contains it.

        Raises `RateLimited` after too many attempts from either of them.
        """
        tries = [await self.throttle(f"{name} from {self.address}", most, minutes)]
        if (network := network_of(self.address)) != self.address:
            tries.append(await self.throttle(f"{name} from network {network}", most * IN_A_NETWORK, minutes))
        return tries

    async def give_back(self, *tries: Tried) -> None:
        """Subtract successful attempts from the counts.

        If the rate limiter is unavailable, the attempts stay counted.
        """
        for name, window, mark in tries:
            with suppress(Unavailable):
                await self.limiter.take_back(name, (window,), mark)

    def known_as(self, member_id: str) -> str | None:
        """Return this browser's identifier for a member who has used it before.

        Return None if the member has not signed in with this browser before.
        """
        return self._known.nonce_of(member_id)

    def known_from_now_on(self, member_id: str) -> str:
        """Return the cookie value that marks this browser as trusted for the member."""
        return self._known.with_entry_of(member_id)

    @property
    def _known(self) -> Known:
        host = sessions.host_of(self.outside.settings.base_url)
        return Known(self.known, host, self.database.clock().date(), self.outside.sessions)

    def new_token(self) -> tuple[str, str]:
        """Return a token for a new session, and the token's hash to be stored."""
        token = sessions.new_token()
        return token, self.outside.sessions(token)[0]


def _in_words(seconds: int) -> str:
    """Write a waiting time in minutes, hours or days, depending on its length.

    >>> _in_words(61), _in_words(60), _in_words(3 * 3600), _in_words(5 * 86400)
    ('2 minutes', '1 minute', '3 hours', '5 days')
    """
    minutes = -(-seconds // _SECONDS_OF_A_MINUTE)
    if minutes > 2 * _A_DAY:
        return say("{number} days", number=-(-minutes // _A_DAY))
    if minutes > 2 * _AN_HOUR:
        return say("{number} hours", number=-(-minutes // _AN_HOUR))
    return say_n("{n} minute", "{n} minutes", minutes)
