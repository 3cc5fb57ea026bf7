"""A page whose work is not one transaction, at work (`pages.Steps`)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from prorata.domain.bill_files import Sheet
from prorata.domain.people import Person
from prorata.domain.table_files import TableName
from prorata.errors import RateLimited
from prorata.ports import Forms, Limiter, Window
from prorata.store.engine import Database, Tx
from prorata.web.dashboard import sessions
from prorata.web.dashboard.pages import Outside, Upload
from prorata.web.pools import Pools

Result = TypeVar("Result")
_SECONDS_OF_A_MINUTE = 60


@dataclass(frozen=True, slots=True)
class StepsAtDesk:
    """The steps of one request."""

    person: Person | None
    path: dict[str, str]
    form: Any
    files: Mapping[str, Upload]
    query: Any
    outside: Outside
    address: str
    user_agent: str
    database: Database
    pools: Pools
    limiter: Limiter
    confirm: Callable[[Tx], Person | None]
    """What says, inside a transaction, that the session still lives and may do this."""

    @property
    def forms(self) -> Forms:
        """How the person's account writes money, days and numbers."""
        return self.outside.forms(self.person.locale if self.person else "en")

    async def read(self, work: Callable[[Tx], Result]) -> Result:
        """Run work that only reads."""
        return await self.pools.page(lambda: self.database.snapshot(self._confirmed(work)))

    async def write(self, work: Callable[[Tx], Result]) -> Result:
        """Run work in one transaction."""
        return await self.pools.write(lambda: self.database.write(self._confirmed(work)))

    def _confirmed(self, work: Callable[[Tx], Result]) -> Callable[[Tx], Result]:
        def run(tx: Tx) -> Result:
            self.confirm(tx)
            return work(tx)

        return run

    async def think(self, work: Callable[[], Result]) -> Result:
        """Run work that takes a processor for a while and needs no database."""
        return await self.pools.page(work)

    async def read_table(self, kind: TableName, data: bytes) -> Sheet:
        """The rows of a file that was brought. Raises `InvalidRequest`."""
        return await self.pools.read_file(lambda: self.outside.read_table(kind, data))

    async def hash(self, work: Callable[[], Result]) -> Result:
        """Hash a password, or compare one."""
        return await self.pools.hash(work)

    async def print(self, work: Callable[[], Result]) -> Result:
        """Run work that typesets."""
        return await self.pools.print(work)

    async def throttle(self, name: str, most: int, minutes: int) -> None:
        """Count a try under `name`. Raises `RateLimited` after `most` in so many minutes."""
        verdict = await self.limiter.admit(name, (Window("tries", most, minutes * _SECONDS_OF_A_MINUTE),))
        if not verdict.admitted:
            wait = -(-verdict.retry_after // _SECONDS_OF_A_MINUTE)
            said = f"Too many tries. Wait {wait} minute{'s' if wait > 1 else ''}, then try again."
            raise RateLimited(said, retry_after=verdict.retry_after)

    def new_token(self) -> tuple[str, str]:
        """The token of a new session, and the hash it is stored under."""
        token = sessions.new_token()
        return token, self.outside.sessions(token)[0]
