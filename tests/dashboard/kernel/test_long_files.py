"""A long file is sent while it is being made.

If it breaks off, the client can tell that it is incomplete.
"""

import asyncio
import errno
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any, cast

import pytest

from prorata.errors import Conflict, Unavailable
from prorata.store.database.engine import Database, Tx
from prorata.store.properties import properties
from prorata.web.dashboard import PAGES
from prorata.web.dashboard.kernel.downloads import Exports, Spool
from prorata.web.dashboard.kernel.pages import Page, Streamed
from prorata.web.http.pools import Pools
from tests.dashboard.conftest import Office, build_office

LONGEST = 20.0
Message = dict[str, Any]
Pieces = Callable[[Tx], Iterator[bytes]]


@contextmanager
def office_with(url: str, pieces: Pieces) -> Iterator[Office]:
    """An office with one additional page, which sends a file."""

    def file(_ask: Any) -> Streamed:
        return Streamed("long.csv", "text/csv", pieces)

    page = Page(file, "GET", "/files/long", may="read")
    built = build_office(url, pages=[*PAGES, page])
    with built.live():
        yield built


class Line:
    """A client that records the messages it receives.

    It calls `at_first` when the first bytes arrive.
    """

    def __init__(self, office: Office, at_first: Callable[[], None] = lambda: None, *, stays: bool = True) -> None:
        self.messages: list[Message] = []
        self._office = office
        self._at_first = at_first
        self._stays = stays
        self._is_gone = asyncio.Event()

    def ask(self, version: str = "1.1") -> "Line":
        cookies = self._office.browser("viewer").client.cookies
        cookie = "; ".join(f"{name}={value}" for name, value in cookies.items())
        headers = [(b"host", b"testserver.local"), (b"accept", b"text/html"), (b"cookie", cookie.encode())]
        scope = {"type": "http", "method": "GET", "path": "/files/long", "query_string": b"", "headers": headers}
        scope |= {"client": ("127.0.0.1", 1), "http_version": version}

        async def answered() -> None:
            async with asyncio.timeout(LONGEST):
                await self._office.app(scope, self._receive, self._send)

        asyncio.run(answered())
        return self

    async def _receive(self) -> Message:
        await self._is_gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        self.messages.append(message)
        if len(self._bodies()) == 1 and message["type"] == "http.response.body":
            await asyncio.to_thread(self._at_first)
            if not self._stays:
                self._is_gone.set()

    def _bodies(self) -> list[Message]:
        return [message for message in self.messages if message["type"] == "http.response.body"]

    @property
    def status(self) -> int:
        return int(self.messages[0]["status"])

    @property
    def body(self) -> bytes:
        return b"".join(message["body"] for message in self._bodies())

    @property
    def has_end(self) -> bool:
        return not self.messages[-1].get("more_body", False)


def test_the_first_bytes_leave_before_the_last_are_made_and_nobody_waits_for_them(migrated_url: str) -> None:
    reached = threading.Event()

    def pieces(tx: Tx) -> Iterator[bytes]:
        account = office.account_id
        yield b"%d," % len(properties.all_of(tx, account))
        assert reached.wait(LONGEST), "the first bytes did not leave"
        yield b"%d" % len(properties.all_of(tx, account))

    def at_first() -> None:
        office.add_property()
        assert "Maple Court" in office.browser("viewer").get("/properties").text
        reached.set()

    with office_with(migrated_url, pieces) as office:
        line = Line(office, at_first).ask()

    assert (line.status, line.body, line.has_end) == (200, b"0,0", True)
    assert "content-length" not in dict(line.messages[0]["headers"])


@pytest.mark.parametrize("failed", [Conflict("Half of it is not there."), ZeroDivisionError()])
def test_a_file_that_fails_half_way_has_no_end(migrated_sqlite_url: str, failed: Exception) -> None:
    reached = threading.Event()

    def pieces(_tx: Tx) -> Iterator[bytes]:
        yield b"head"
        reached.wait(LONGEST)
        raise failed

    with office_with(migrated_sqlite_url, pieces) as office:
        line = Line(office, reached.set).ask()

    assert (line.status, line.body, line.has_end) == (200, b"head", False)


def test_where_an_end_has_no_mark_a_file_is_sent_whole_or_not_at_all(migrated_sqlite_url: str) -> None:
    late = threading.Event()

    def pieces(_tx: Tx) -> Iterator[bytes]:
        yield b"head"
        late.wait(1.0)
        raise Conflict("Half of it is not there.")

    with office_with(migrated_sqlite_url, pieces) as office:
        line = Line(office).ask(version="1.0")

    assert (line.status, line.has_end) == (409, True)
    assert b"Half of it is not there." in line.body


def test_nothing_more_is_made_for_whoever_went_away(migrated_url: str) -> None:
    ended = threading.Event()

    def pieces(_tx: Tx) -> Iterator[bytes]:
        try:
            while True:
                yield b"x" * 1_000
        finally:
            ended.set()

    with office_with(migrated_url, pieces) as office:
        line = Line(office, stays=False).ask()
        assert ended.wait(LONGEST)

    assert not line.has_end


# --- limits ----------------------------------------------------------------------------------------------------------


class NoDatabase:
    """A stand-in for the database, for pieces that do not read from it."""

    def snapshot(self, work: Callable[[Any], None]) -> None:
        work(None)


class Threads:
    """Threads that are all free, or all busy."""

    def __init__(self, *, are_free: bool = True) -> None:
        self._are_free = are_free

    async def export(self, work: Callable[[], None]) -> None:
        if not self._are_free:
            raise Unavailable("Too many changes are waiting.")
        await asyncio.to_thread(work)


def begin(*files: Pieces, are_free: bool = True, **limits: Any) -> list[Spool]:
    """Begin to make files one after another, while no client reads them."""

    async def begun() -> list[Spool]:
        pools = cast("Pools", Threads(are_free=are_free))
        exports = Exports(cast("Database", NoDatabase()), pools, head_start=0.01, **limits)
        spools: list[Spool] = []
        try:
            for pieces in files:
                spools.append(await exports.begin(Streamed("a", "b", pieces), str(len(spools) % 2), whole=False))
        finally:
            for spool in spools:
                exports.let_go(spool)
        return spools

    return asyncio.run(begun())


def piece(_tx: Tx) -> Iterator[bytes]:
    yield b"x" * 10


def test_a_file_has_a_limit() -> None:
    (spool,) = begin(piece, largest=10)
    assert spool.size == 10
    with pytest.raises(Conflict, match="filters"):
        begin(piece, largest=9)


def test_so_many_files_are_made_at_once_and_the_next_is_told_to_wait() -> None:
    assert len(begin(piece, piece, most=2)) == 2
    with pytest.raises(Unavailable, match=r"busy creating files.*in a minute") as refused:
        begin(piece, piece, piece, most=2)
    assert refused.value.retry_after == 60


def test_one_account_does_not_take_the_place_of_others() -> None:
    assert len(begin(piece, piece, piece, piece, most_of_one=2)) == 4
    with pytest.raises(Unavailable, match="You’re already downloading as many files as one account can at once"):
        begin(piece, piece, piece, piece, piece, most_of_one=2)


def test_a_file_whose_turn_does_not_come_says_so() -> None:
    with pytest.raises(Unavailable, match="The server is busy creating files"):
        begin(piece, are_free=False)


def test_a_full_disk_is_said_as_one() -> None:
    def full(_tx: Tx) -> Iterator[bytes]:
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(Unavailable, match="full"):
        begin(full)


def test_a_file_is_not_begun_anew_behind_what_was_sent() -> None:
    async def filled() -> None:
        with closing(Spool(Streamed("a", "b", piece), "", 100)) as spool:
            spool.fill(lambda: iter([b"head"]))
            spool.fill(lambda: iter([b"head"]))

    with pytest.raises(Unavailable, match="had to start over"):
        asyncio.run(filled())
