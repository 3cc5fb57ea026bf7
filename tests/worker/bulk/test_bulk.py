"""Tests of bulk changes to invoices.

A few invoices are changed in the request, and more by a job. Each is changed once, and each refusal states its reason.
"""

import threading
from typing import Any

import pytest

from prorata.actions.bulk import bulk
from prorata.actions.bulk.bulk import ShownBulk
from prorata.actions.invoices.lists import Wish
from prorata.actions.properties import properties
from prorata.domain.bulk.bulk import VERBS, Numbers
from prorata.errors import Conflict, InvalidRequest, NotFound
from prorata.store.database.engine import Database, Tx
from prorata.store.jobs import jobs as stored_jobs
from prorata.store.properties.properties import PropertyRow
from prorata.worker.bulk import BULK_KIND
from prorata.worker.job_kinds import Done, Later, Lease, as_job
from tests.landlord import FakeArchive, Landlord
from tests.worker.changed_together import UNITS, ids, maple_of, work

FEW = [str(number) for number in range(1, 4)]


@pytest.fixture
def maple(landlord: Landlord) -> PropertyRow:
    return maple_of(landlord)


def go_on(landlord: Landlord, of: ShownBulk, *, most: int = 1) -> None:
    step = landlord.read(bulk.next_step, of.id, most=most)
    assert step is not None
    landlord.run(lambda tx: bulk.go_on(tx, landlord.account.id, step))


def job_of(landlord: Landlord, of: ShownBulk) -> stored_jobs.JobRow:
    (row,) = landlord.database.read(lambda tx: stored_jobs.of_subject(tx, landlord.account.id, of.id))
    return row


def test_a_few_are_changed_at_once(landlord: Landlord, maple: PropertyRow) -> None:
    landlord.set_status(maple, "2", "SENT")

    done = landlord.do(bulk.begin, "send", [*ids(landlord, maple, *FEW), "inv_01kb1n3x6ve2hrrk0p1w4bqv2f"])

    assert done.numbers == Numbers(changed=2, unchanged=1, refused=1)
    assert done.says == "2 of 4 invoices were marked as sent; 1 was already in this state; 1 was skipped."
    assert [one.why for one in done.refused] == ["There is no invoice with this id."]
    assert {landlord.statuses(maple)[label] for label in FEW} == {"SENT"}


def test_more_are_changed_by_a_job_as_their_filter_says(landlord: Landlord, maple: PropertyRow) -> None:
    begun = landlord.do(bulk.begin, "mark paid", Wish({"property": maple.id}, "tenant"))
    assert begun.state == "going on"
    assert begun.numbers == Numbers(waiting=UNITS)
    assert set(landlord.statuses(maple).values()) == {"DRAFT"}

    work(landlord)

    done = landlord.see(bulk.find, begun.id)
    assert (done.state, done.numbers) == ("done", Numbers(changed=UNITS))
    assert set(landlord.statuses(maple).values()) == {"PAID"}
    assert landlord.see(bulk.latest, limit=5) == [done]


@pytest.mark.parametrize("verb", ["send", "mark paid", "cancel", "reopen"])
def test_many_at_once_come_to_what_each_by_itself_comes_to(landlord: Landlord, verb: str) -> None:
    def house(name: str) -> PropertyRow:
        row = landlord.property_(name)
        for unit in landlord.units(row, "1", "2", "3", "4", "5", "6")[:-1]:
            landlord.tenant(unit, f"Tenant {unit.label}")
        landlord.bill(row, 100_01)
        for label, status in (("1", "SENT"), ("2", "CANCELLED"), ("3", "PAID"), ("4", "CANCELLED")):
            landlord.set_status(row, label, status)
        landlord.bill(row, 50_02, "GAS")  # waits, as the month is closed
        return row

    together, apart = house("Together"), house("Apart")

    # What is paid is not sent, and what is cancelled is not paid; what is for nobody takes no part in either.
    refused = {"send": {"3"}, "mark paid": {"2", "4"}}.get(verb, set())
    no_part = {"6"} if verb in ("send", "mark paid") else set()
    numbers = landlord.do(bulk.begin, verb, ids(landlord, together)).numbers
    assert (numbers.refused, numbers.total) == (len(refused), 6 - len(no_part))
    for label in ("5", "6", "1", "2", "3", "4"):  # drafts first, before the month opens and they are computed again
        if label not in refused | no_part:
            landlord.set_status(apart, label, VERBS[verb])

    assert landlord.statuses(together) == landlord.statuses(apart)
    assert landlord.totals(together) == landlord.totals(apart)
    first, second = (landlord.month(row) for row in (together, apart))
    assert first is not None
    assert second is not None
    assert first[3:14] == second[3:14]


def test_send_all_leaves_what_stands_empty_to_the_owner(landlord: Landlord, maple: PropertyRow) -> None:
    landlord.unit(maple, "vacant")
    begun = landlord.do(bulk.send_all, maple.id, "2026-02")
    work(landlord)

    assert landlord.see(bulk.find, begun.id).numbers.changed == UNITS
    assert landlord.statuses(maple)["vacant"] == "DRAFT"
    with pytest.raises(Conflict, match="nothing to send"):
        landlord.do(bulk.send_all, maple.id, "2026-02")


def test_vacant_units_are_no_failures_of_a_sending(landlord: Landlord, maple: PropertyRow) -> None:
    landlord.unit(maple, "vacant")
    begun = landlord.do(bulk.begin, "send", Wish({"property": maple.id}))
    assert begun.numbers == Numbers(waiting=UNITS)
    work(landlord)

    done = landlord.see(bulk.find, begun.id)
    assert done.says == f"{UNITS} of {UNITS} invoices were marked as sent."
    assert done.refused == []
    assert landlord.statuses(maple)["vacant"] == "DRAFT"
    with pytest.raises(Conflict, match="All of these are for vacant units"):
        landlord.do(bulk.begin, "send", ids(landlord, maple, "vacant"))


def test_what_was_changed_can_be_taken_back_once_but_for_what_changed_since(
    landlord: Landlord, maple: PropertyRow
) -> None:
    landlord.set_status(maple, "1", "CANCELLED")
    done = landlord.do(bulk.begin, "send", ids(landlord, maple, *FEW))
    landlord.set_status(maple, "3", "PAID")

    undone = landlord.do(bulk.undo, done.id)

    assert {label: landlord.statuses(maple)[label] for label in FEW} == {"1": "CANCELLED", "2": "DRAFT", "3": "PAID"}
    assert undone.says == "2 of 3 invoices were set back as before; 1 was skipped."
    assert "It is now paid" in undone.refused[0].why
    assert not landlord.see(bulk.find, done.id).can_undo
    with pytest.raises(Conflict, match="nothing to undo"):
        landlord.do(bulk.undo, done.id)


def test_one_that_is_stopped_leaves_the_rest_alone(landlord: Landlord, maple: PropertyRow) -> None:
    begun = landlord.do(bulk.begin, "send", ids(landlord, maple))
    go_on(landlord, begun)
    with pytest.raises(Conflict, match="still running"):
        landlord.do(bulk.undo, begun.id)

    stopped = landlord.do(bulk.stop, begun.id)
    work(landlord)

    assert stopped.says == f"1 of {UNITS} invoices was marked as sent; {UNITS - 1} were left as they are."
    assert list(landlord.statuses(maple).values()).count("SENT") == 1
    assert job_of(landlord, begun).state == "cancelled"
    with pytest.raises(Conflict, match="already ended"):
        landlord.do(bulk.stop, begun.id)
    assert landlord.do(bulk.undo, begun.id).numbers == Numbers(changed=1)


def test_a_worker_that_is_stopped_or_loses_its_lease_lets_another_go_on(landlord: Landlord, maple: PropertyRow) -> None:
    begun = landlord.do(bulk.begin, "send", ids(landlord, maple))
    job, stopping = as_job(job_of(landlord, begun)), threading.Event()
    stopping.set()
    lost = Lease(threading.Event())
    lost.lose()

    for lease in (Lease(stopping), lost):
        assert isinstance(BULK_KIND.handler(job, landlord.database, lease), Later)
    assert landlord.see(bulk.find, begun.id).numbers.waiting == UNITS
    assert isinstance(BULK_KIND.handler(job, landlord.database, Lease(threading.Event())), Done)
    assert landlord.see(bulk.find, begun.id).numbers.changed == UNITS


class Refusing:
    """A database that refuses the work of a bulk change on one invoice.

    A rule of the months might refuse it in the same way.
    """

    def __init__(self, database: Database, number: int) -> None:
        self.clock, self.read, self.snapshot, self._write = (
            database.clock,
            database.read,
            database.snapshot,
            database.write,
        )
        self._number = number

    def write(self, work: Any) -> Any:
        step = getattr(work, "keywords", {}).get("step")
        is_it = step is not None and step.first <= self._number <= step.last
        if is_it and work.func is bulk.go_on:
            raise Conflict("No.")
        return self._write(work)


def test_one_that_refuses_keeps_its_sentence_and_no_other_is_left_out(landlord: Landlord, maple: PropertyRow) -> None:
    begun = landlord.do(bulk.begin, "send", ids(landlord, maple))
    refusing: Any = Refusing(landlord.database, 3)

    done = BULK_KIND.handler(as_job(job_of(landlord, begun)), refusing, Lease(threading.Event()))

    assert isinstance(done, Done)
    found = landlord.see(bulk.find, begun.id)
    assert (found.state, found.numbers) == ("done", Numbers(changed=UNITS - 1, refused=1))
    assert [one.why for one in found.refused] == ["No."]


def test_what_another_worker_has_changed_meanwhile_is_not_passed_over(landlord: Landlord, maple: PropertyRow) -> None:
    begun = landlord.do(bulk.begin, "send", ids(landlord, maple))
    step = landlord.read(bulk.next_step, begun.id, most=1)
    assert step is not None
    go_on(landlord, begun)

    landlord.run(lambda tx: bulk.pass_over(tx, landlord.account.id, step, Conflict("No.")))
    landlord.run(lambda tx: bulk.go_on(tx, landlord.account.id, step))

    assert landlord.see(bulk.find, begun.id).numbers == Numbers(waiting=UNITS - 1, changed=1)


def test_what_a_person_has_stopped_is_not_resumed_by_trying_its_job_again(
    landlord: Landlord, maple: PropertyRow
) -> None:
    begun = landlord.do(bulk.begin, "send", ids(landlord, maple))
    row = job_of(landlord, begun)
    landlord.do(bulk.stop, begun.id)

    landlord.run(lambda tx: BULK_KIND.tried_again(tx, row))

    assert landlord.see(bulk.find, begun.id).state == "stopped"


class Broken(Exception):
    """The error that stands for a killed worker, whose transaction is lost at its end."""


def test_what_is_broken_off_between_two_invoices_changes_each_once(landlord: Landlord, maple: PropertyRow) -> None:
    begun = landlord.do(bulk.begin, "send", ids(landlord, maple))

    def killed(database: Database) -> None:
        step = landlord.read(bulk.next_step, begun.id, most=5)
        assert step is not None

        def work(tx: Tx) -> None:
            bulk.go_on(tx, landlord.account.id, step)
            raise Broken

        with pytest.raises(Broken):
            database.write(work)

    for _ in range(3):
        killed(landlord.database)
        go_on(landlord, begun, most=2)
    work(landlord)

    assert landlord.see(bulk.find, begun.id).numbers == Numbers(changed=UNITS)


def test_invoices_that_are_gone_by_then_are_refused_and_the_rest_goes_on(
    landlord: Landlord, maple: PropertyRow
) -> None:
    elm = landlord.property_("Elm")
    landlord.tenant(landlord.unit(elm, "1"), "Ann")
    landlord.bill(elm, 10_00)
    begun = landlord.do(bulk.begin, "send", [*ids(landlord, elm), *ids(landlord, maple)])
    landlord.do(properties.remove, elm.id, FakeArchive())

    work(landlord)

    assert landlord.see(bulk.find, begun.id).numbers == Numbers(changed=UNITS, refused=1)


def test_a_job_that_fails_for_good_says_so_and_goes_on_when_tried_again(landlord: Landlord, maple: PropertyRow) -> None:
    begun = landlord.do(bulk.begin, "send", ids(landlord, maple))
    row = job_of(landlord, begun)
    landlord.run(lambda tx: BULK_KIND.given_up(tx, row, "The disk is full."))

    stopped = landlord.see(bulk.find, begun.id)
    assert (stopped.state, stopped.why) == ("stopped", "The disk is full.")
    landlord.run(lambda tx: BULK_KIND.tried_again(tx, row))
    work(landlord)
    assert landlord.see(bulk.find, begun.id).numbers.changed == UNITS


def test_none_too_many_and_what_is_not_known_are_refused(landlord: Landlord, maple: PropertyRow) -> None:
    with pytest.raises(InvalidRequest, match="No invoices are selected"):
        landlord.do(bulk.begin, "send", Wish({"property": maple.id}, "nobody"))
    with pytest.raises(InvalidRequest, match="at most 150,000 invoices at once"):
        landlord.do(bulk.begin, "send", [f"inv_{number}" for number in range(150_001)])
    with pytest.raises(InvalidRequest, match="must be one of send, mark paid, confirm paid, cancel, reopen"):
        landlord.do(bulk.begin, "shred", ids(landlord, maple))


def test_another_accounts_bulk_change_and_invoices_are_not_there(landlord: Landlord, maple: PropertyRow) -> None:
    done = landlord.do(bulk.begin, "send", ids(landlord, maple, "1"))
    stranger = Landlord(landlord.database, landlord.clock)
    for action in (bulk.find, bulk.undo, bulk.stop):
        with pytest.raises(NotFound):
            stranger.do(action, done.id)
    assert stranger.do(bulk.begin, "cancel", ids(landlord, maple, "1")).numbers == Numbers(refused=1)
    assert landlord.statuses(maple)["1"] == "SENT"


def test_nobody_pays_what_a_vacant_unit_comes_to(landlord: Landlord, maple: PropertyRow) -> None:
    landlord.unit(maple, "vacant")
    done = landlord.do(bulk.begin, "mark paid", ids(landlord, maple, "1", "vacant"))
    assert done.numbers == Numbers(changed=1)
    assert (landlord.statuses(maple)["1"], landlord.statuses(maple)["vacant"]) == ("PAID", "DRAFT")
