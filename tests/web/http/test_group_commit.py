"""Writes that wait for a similar write are done together with it.

They are one piece of work, but each gets its own answer.
"""

import asyncio
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest

from prorata.domain.accounts.scopes import EVERYTHING
from prorata.errors import NotFound, Refusal, Unauthorized, Unavailable
from prorata.ids import IdSource
from prorata.store.database.schema_state import gone
from prorata.web.api import OPERATIONS
from prorata.web.http.group_commit import TOGETHER, Joint, Jointly
from prorata.web.http.idempotency import InFlight
from prorata.web.http.operation_runner import Kitchen, Reply, Request, serve
from prorata.web.http.pools import WRITERS, Pools
from tests.web.conftest import HASHER, RECEIVERS, House
from tests.web.furnished import LABELS, MONTHS, Furnished, furnish

ABSENT, BY_ITSELF, POISON, LOST = -1, -2, -3, -4


class Ledger:
    """A list of written numbers, grouped by the piece of work that wrote them."""

    def __init__(self) -> None:
        self.written: list[list[int]] = []

    def several(self, numbers: Sequence[int]) -> list[int | Refusal | None]:
        if POISON in numbers:
            raise LookupError
        if LOST in numbers:
            raise gone()
        self.written.append([one for one in numbers if one >= 0])
        return [NotFound("invoice") if one == ABSENT else None if one == BY_ITSELF else one for one in numbers]

    def alone(self, number: int) -> int:
        if number == POISON:
            raise LookupError
        self.written.append([number])
        return number

    def joint(self, number: int, name: str = "ledger") -> Joint[int, int]:
        return Joint(name, number, self.several, lambda: self.alone(number))


def all_at_once(pools: Pools, joints: Sequence[Joint[int, int]]) -> list[Any]:
    """Return the answers when all requests arrive before a thread is free."""

    async def ask() -> list[Any]:
        with every_writer_busy(pools):
            waiting = [asyncio.ensure_future(pools.write_jointly(joint)) for joint in joints]
            await asyncio.sleep(0.02)
            assert not any(each.done() for each in waiting)
        return await asyncio.gather(*waiting, return_exceptions=True)

    try:
        return asyncio.run(ask())
    finally:
        pools.close()


@contextmanager
def every_writer_busy(pools: Pools) -> Iterator[None]:
    released = threading.Event()
    busy = [asyncio.ensure_future(pools.write(released.wait)) for _ in range(max(WRITERS.values()))]
    yield
    assert not any(one.done() for one in busy)
    released.set()


@pytest.fixture(params=["sqlite", "postgresql"])
def pools(request: pytest.FixtureRequest) -> Pools:
    """The threads that each kind of database has."""

    @contextmanager
    def together() -> Iterator[None]:
        yield

    return Pools(request.param, together=together if request.param == "sqlite" else None)


def test_what_waits_is_done_in_one_piece_of_work_in_the_order_in_which_it_came(pools: Pools) -> None:
    ledger = Ledger()
    assert all_at_once(pools, [ledger.joint(n) for n in range(7)]) == [*range(7)]
    assert ledger.written == [[*range(7)]]


def test_one_by_itself_is_done_as_it_always_was(pools: Pools) -> None:
    ledger = Ledger()
    assert all_at_once(pools, [ledger.joint(5)]) == [5]
    assert ledger.written == [[5]]


def test_no_more_than_so_many_are_done_in_one_piece_of_work_and_the_others_in_the_next(pools: Pools) -> None:
    ledger, many = Ledger(), 2 * TOGETHER + 3
    assert all_at_once(pools, [ledger.joint(n) for n in range(many)]) == [*range(many)]
    assert [len(some) for some in ledger.written] == [TOGETHER, TOGETHER, 3]


def test_where_no_work_can_begin_all_are_told_so_after_one_try() -> None:
    """This happens when the disk of the database is gone."""
    tries = []

    @contextmanager
    def together() -> Iterator[None]:
        tries.append(None)
        raise gone()
        yield

    ledger, many = Ledger(), TOGETHER + 1
    answers = all_at_once(Pools("sqlite", together=together), [ledger.joint(n) for n in range(many)])
    assert [type(answer) for answer in answers] == [Unavailable] * many
    assert (len(tries), ledger.written) == (2, [])  # one for so many as are done together, one for who is left


def test_what_has_other_names_is_done_by_itself(pools: Pools) -> None:
    ledger = Ledger()
    assert all_at_once(pools, [ledger.joint(n, name=str(n % 2)) for n in range(6)]) == [*range(6)]
    assert sorted(ledger.written) == [[0, 2, 4], [1, 3, 5]]


def test_one_that_is_refused_or_left_to_itself_changes_nothing_for_the_others(pools: Pools) -> None:
    ledger = Ledger()
    said = all_at_once(pools, [ledger.joint(n) for n in (1, ABSENT, BY_ITSELF, 2)])
    assert [said[0], type(said[1]), said[2], said[3]] == [1, NotFound, BY_ITSELF, 2]
    assert ledger.written == [[1, 2], [BY_ITSELF]]


def test_where_one_fails_each_is_done_by_itself_and_that_one_alone_is_told(pools: Pools) -> None:
    ledger = Ledger()
    said = all_at_once(pools, [ledger.joint(n) for n in (1, POISON, 2)])
    assert [said[0], type(said[1]), said[2]] == [1, LookupError, 2]
    assert sorted(ledger.written) == [[1], [2]]


def test_where_the_database_is_lost_each_is_told_so_and_nothing_is_done_again(pools: Pools) -> None:
    ledger = Ledger()
    said = all_at_once(pools, [ledger.joint(n) for n in (1, LOST, 2)])
    assert [type(one) for one in said] == [Unavailable] * 3
    assert ledger.written == []


def test_one_that_is_given_up_while_it_waits_is_not_done(pools: Pools) -> None:
    ledger = Ledger()

    async def ask() -> list[int]:
        with every_writer_busy(pools):
            waiting = [asyncio.ensure_future(pools.write_jointly(ledger.joint(n))) for n in range(3)]
            await asyncio.sleep(0.02)
            waiting[1].cancel()
            await asyncio.sleep(0)
        return [await waiting[0], await waiting[2], await pools.write_jointly(ledger.joint(9))]

    try:
        assert asyncio.run(ask()) == [0, 2, 9]
    finally:
        pools.close()
    assert ledger.written == [[0, 2], [9]]


def test_what_still_waits_when_the_process_ends_is_told_so(pools: Pools) -> None:
    ledger, released = Ledger(), threading.Event()

    def last(numbers: Sequence[int]) -> list[None]:
        ending.start()
        assert released.wait(20)
        return [None] * len(numbers)

    def end() -> None:
        released.set()
        pools.close()

    ending = threading.Thread(target=end)

    async def ask() -> list[Any]:
        with every_writer_busy(pools):
            joints = [Joint("ledger", n, last, partial(ledger.alone, n)) for n in range(TOGETHER + 3)]
            waiting = [asyncio.ensure_future(pools.write_jointly(joint)) for joint in joints]
            await asyncio.sleep(0.02)
        return await asyncio.wait_for(asyncio.gather(*waiting, return_exceptions=True), 20)

    said = asyncio.run(ask())
    ending.join()
    assert len(said) == TOGETHER + 3
    assert all(isinstance(one, int | Unavailable) for one in said)
    assert sorted(one for some in ledger.written for one in some) == sorted(one for one in said if isinstance(one, int))


def test_one_by_itself_that_waits_for_something_keeps_nobody_of_its_name_waiting() -> None:
    pools = Pools("postgresql")  # where several threads write; on SQLite nothing is waited for in the one
    ledger, released = Ledger(), threading.Event()
    locked = Joint("ledger", BY_ITSELF, ledger.several, lambda: released.wait(20))

    async def ask() -> list[Any]:
        waiting = asyncio.ensure_future(pools.write_jointly(locked))
        await asyncio.sleep(0.05)
        said = await asyncio.wait_for(pools.write_jointly(ledger.joint(7)), 10)
        assert not waiting.done()
        released.set()
        return [said, await waiting]

    try:
        assert asyncio.run(ask()) == [7, True]
    finally:
        pools.close()


def test_one_that_is_handed_back_too_late_is_refused_and_not_done() -> None:
    ledger = Ledger()
    with ThreadPoolExecutor(1) as threads:
        jointly = Jointly(threads.submit, longest_wait=-1)
        with pytest.raises(Unavailable):
            jointly.submit(ledger.joint(BY_ITSELF)).result(10)
        assert jointly.submit(ledger.joint(3)).result(10) == 3
    assert ledger.written == [[], [3]]


def test_a_wrong_number_of_answers_is_a_fault_that_all_are_told_and_the_next_are_done() -> None:
    ledger = Ledger()
    with ThreadPoolExecutor(1) as threads:
        jointly = Jointly(threads.submit, longest_wait=10)
        with pytest.raises(ValueError, match="zip"):
            jointly.submit(Joint("ledger", 1, lambda _: [], lambda: 1)).result(10)
        assert jointly.submit(ledger.joint(3)).result(10) == 3


def test_a_process_that_ends_before_any_was_begun_tells_each_and_ends(pools: Pools) -> None:
    ledger, released = Ledger(), threading.Event()

    async def ask() -> list[Any]:
        busy = [asyncio.ensure_future(pools.write(lambda: released.wait(20))) for _ in range(pools.writers)]
        joints = [asyncio.ensure_future(pools.write_jointly(ledger.joint(n))) for n in range(3)]
        brief = asyncio.ensure_future(pools.write_briefly(lambda: ledger.alone(9)))
        await asyncio.sleep(0.05)
        closing = asyncio.get_running_loop().run_in_executor(None, pools.close)
        await asyncio.sleep(0.05)
        released.set()
        await asyncio.wait_for(closing, 10)
        said = asyncio.gather(*joints, brief, return_exceptions=True)
        assert all(one.done() for one in busy)
        return await asyncio.wait_for(said, 10)

    said = asyncio.run(ask())
    assert [isinstance(one, Unavailable | asyncio.CancelledError) for one in said] == [True] * 4
    assert ledger.written == []


# --- requests ----------------------------------------------------------------------------------------------------------


def patched(house: House, wanted: Sequence[tuple[str, str]], confirm: Callable[[Any], None]) -> list[Reply | Exception]:
    """Return the response to each PATCH request when all of them arrive at once.

    Each request consists of an invoice and a status.
    """
    (operation,) = [one for one in OPERATIONS if one.name == "change_invoice"]
    pools = Pools(house.database.dialect, together=house.database.together)
    nothing: Any = None
    kitchen = Kitchen(house.database, pools, house.shelf, InFlight(), nothing, RECEIVERS, HASHER)

    def request(invoice_id: str, status: str) -> Request:
        body = json.dumps({"status": status}).encode()

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body}

        headers = {b"content-type": b"application/json", b"content-length": b"%d" % len(body)}
        path, held = f"/invoices/{invoice_id}", {"id": invoice_id}
        return Request(house.landlord.caller, path, held, b"", headers, receive, confirm, nothing, EVERYTHING)

    async def ask() -> list[Any]:
        with every_writer_busy(pools):
            waiting = [asyncio.ensure_future(serve(operation, kitchen, request(*one))) for one in wanted]
            await asyncio.sleep(0.05)
        return await asyncio.gather(*waiting, return_exceptions=True)

    try:
        return asyncio.run(ask())
    finally:
        pools.close()


@pytest.fixture
def sent(house: House) -> tuple[Furnished, list[str]]:
    """A property whose invoices for three months are all sent, with their ids."""
    made = furnish(house)
    ids = [one["id"] for one in made.invoices()]
    assert len(ids) == len(LABELS) * len(MONTHS)
    assert {made.api.patch(f"/invoices/{one}", {"status": "SENT"}).status_code for one in ids} == {200}
    return made, ids


def test_changes_of_status_that_come_at_once_are_each_answered_with_their_invoice(
    house: House, sent: tuple[Furnished, list[str]]
) -> None:
    made, ids = sent
    wanted = [*((one, "PAID") for one in ids), (IdSource()("inv", 1), "PAID"), (ids[0], "OVERDUE")]
    *paid, refused, overdue = patched(house, wanted, lambda _tx: None)
    assert isinstance(refused, NotFound)
    replies = [json.loads(one.body) for one in [*paid, overdue] if isinstance(one, Reply)]
    assert [(one["id"], one["status"]) for one in replies] == [*wanted[:-2], wanted[-1]]
    assert [made.api.get(f"/invoices/{one}").json() for one in ids] == [replies[-1], *replies[1:-1]]


def test_a_key_that_was_revoked_while_they_waited_changes_nothing(
    house: House, sent: tuple[Furnished, list[str]]
) -> None:
    made, ids = sent

    def revoked(_tx: Any) -> None:
        raise Unauthorized("This key was revoked.")

    said = patched(house, [(one, "PAID") for one in ids], revoked)
    assert [type(one) for one in said] == [Unauthorized] * len(ids)
    assert {one["status"] for one in made.invoices()} == {"SENT"}
