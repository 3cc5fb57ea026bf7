"""A month run proposes or sends a complete month once, on the chosen day.

Incomplete months wait.
"""

import threading
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any, TypeVar

import pytest

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.audit import activity
from prorata.actions.months import runs as month_runs
from prorata.actions.properties import properties
from prorata.domain.months.runs import BEFORE, PROPOSED, SENT, SENT_BEFORE, WAITS
from prorata.errors import Conflict
from prorata.store.accounts import accounts as stored_accounts
from prorata.store.database.engine import Database, Tx
from prorata.store.jobs import jobs as stored_jobs
from prorata.store.months import runs as stored
from prorata.store.months.runs import MonthPlace
from prorata.worker.job_kinds import Done, Job, Later, Lease
from prorata.worker.months import MONTHS_KIND
from tests.landlord import Landlord, MovableClock
from tests.worker.mailing import House
from tests.worker.monthly import AQUA, GAS, at, outlook, run_of, runs, said_of_month, status, water, with_bills

Result = TypeVar("Result")


@pytest.fixture
def maple(house: House) -> House:
    return with_bills(house)


# --- on its day -------------------------------------------------------------------------------------------------------


def test_a_complete_month_is_sent_in_the_morning_of_the_day_that_was_chosen_and_those_before_are_left_alone(
    maple: House,
) -> None:
    runs(maple)
    water(maple, "2026-03")
    at(maple, "2026-04-05T08:59")
    assert (status(maple), run_of(maple)) == ("DRAFT", ("ready", None))
    assert outlook(maple).ready == 1
    assert said_of_month(maple) == "It will be sent automatically on 2026-04-05, unless something comes up before then."
    at(maple, "2026-04-05T09:00")
    assert (status(maple), run_of(maple)) == ("SENT", (SENT, None))
    assert [status(maple, month) for month in ("2025-11", "2025-12", "2026-01", "2026-02")] == ["DRAFT"] * 4
    found = outlook(maple)
    assert found.done == "On 2026-04-05, 1 invoice of Maple Court was sent."
    assert found.next.startswith("On 2026-05-05, the invoices for April 2026 will be sent where every usual bill")
    event = maple.landlord.see(activity.page)[0]
    while event.verb != "set invoice SENT":
        event = maple.landlord.see(activity.page, before=event.id)[0]
    assert (event.actor, event.actor_name) == ("months", "Prorata (running the month)")
    assert [str(message["Subject"]) for message in maple.outbox()] != []


def test_a_complete_month_is_proposed_once_and_sent_by_a_person(maple: House) -> None:
    runs(maple, "propose")
    water(maple, "2026-03")
    at(maple, "2026-04-09T12:00")
    assert (status(maple), run_of(maple)) == ("DRAFT", (PROPOSED, None))
    found = outlook(maple)
    assert found.done == "On 2026-04-05, 1 month was proposed for sending."
    assert [(one.property_name, one.month) for one in found.proposals] == [("Maple Court", "2026-03")]
    assert [one.says for one in maple.landlord.see(activity.page) if one.verb == "propose month"] == [
        "proposed to send Maple Court, March 2026"
    ]
    assert (said_of_month(maple) or "").startswith("It is proposed for sending")
    maple.landlord.set_status(maple.maple, "1", "SENT", "2026-03")
    assert outlook(maple).proposals == ()
    assert outlook(maple).proposed == 0
    assert said_of_month(maple) is None
    at(maple, "2026-04-10T12:00")
    assert run_of(maple) is None


def test_a_month_with_a_bill_missing_says_which_and_follows_on_the_morning_after_it_came(maple: House) -> None:
    for month in ("2025-12", "2026-01", "2026-02", "2026-03"):
        water(maple, month, 80_00, issuer=GAS, kind="GAS")
    runs(maple)
    at(maple, "2026-04-16T12:00")
    assert status(maple) == "DRAFT"
    (one,) = outlook(maple).waits
    assert (one.property_name, one.month) == ("Maple Court", "2026-03")
    assert (one.why or "").startswith(f"The bill from {AQUA} has not arrived")
    assert "the morning after that is settled" in (said_of_month(maple) or "")
    water(maple, "2026-03")
    assert (said_of_month(maple) or "").startswith("It is complete and will be sent automatically in the morning")
    at(maple, "2026-04-17T08:59")
    assert status(maple) == "DRAFT"
    at(maple, "2026-04-17T09:00")
    assert status(maple) == "SENT"
    assert outlook(maple).waits == ()


def test_the_day_begins_where_the_account_is(maple: House) -> None:
    runs(maple, timezone="Pacific/Auckland")
    water(maple, "2026-03")
    at(maple, "2026-04-04T20:59")  # 08:59 on 5 April there, in its summer time until that night
    assert status(maple) == "DRAFT"
    at(maple, "2026-04-04T22:00")
    assert status(maple) == "SENT"
    assert (outlook(maple).done or "").startswith("On 2026-04-05")


def test_a_worker_that_was_away_for_days_catches_up(maple: House) -> None:
    runs(maple)
    water(maple, "2026-03")
    at(maple, "2026-04-01T12:00")
    maple.clock.moment = datetime(2026, 4, 11, 3, tzinfo=UTC)
    maple.work()
    maple.work()
    assert status(maple) == "SENT"


# --- once -------------------------------------------------------------------------------------------------------------


def test_a_month_that_was_sent_and_set_back_to_draft_is_not_sent_again(maple: House) -> None:
    runs(maple)
    water(maple, "2026-03")
    at(maple, "2026-04-05T09:00")
    maple.landlord.set_status(maple.maple, "1", "DRAFT", "2026-03")
    at(maple, "2026-04-20T12:00")
    assert status(maple) == "DRAFT"
    assert (said_of_month(maple) or "").startswith("It was sent automatically on 2026-04-05")
    assert outlook(maple).proposed == outlook(maple).waiting == 0


@pytest.mark.parametrize("taken_back", ["2026-04-03T12:00", "2026-04-06T12:00"])
def test_a_month_that_a_person_sent_and_set_back_to_draft_is_proposed_and_says_why(
    maple: House, taken_back: str
) -> None:
    runs(maple)
    water(maple, "2026-03")
    at(maple, "2026-04-02T12:00")
    maple.landlord.set_status(maple.maple, "1", "SENT", "2026-03")
    at(maple, taken_back)
    mailed = len(maple.outbox())
    maple.landlord.set_status(maple.maple, "1", "DRAFT", "2026-03")
    if taken_back < "2026-04-05":
        assert said_of_month(maple) == f"It will be proposed for sending on 2026-04-05. {SENT_BEFORE}"
    at(maple, "2026-04-20T12:00")
    assert (status(maple), run_of(maple)) == ("DRAFT", (PROPOSED, SENT_BEFORE))
    assert said_of_month(maple) == SENT_BEFORE
    assert (outlook(maple).proposed, len(maple.outbox())) == (1, mailed)


def test_a_month_that_was_sent_before_and_waits_for_a_bill_is_proposed_once_that_came(maple: House) -> None:
    for month in ("2025-12", "2026-01", "2026-02"):
        water(maple, month, 80_00, issuer=GAS, kind="GAS")
    runs(maple)
    water(maple, "2026-03")
    at(maple, "2026-04-02T12:00")
    for wanted in ("SENT", "DRAFT"):
        maple.landlord.set_status(maple.maple, "1", wanted, "2026-03")
    at(maple, "2026-04-06T12:00")
    assert (run_of(maple) or ("",))[0] == WAITS
    said = said_of_month(maple) or ""
    assert said.endswith(f"the morning after that is settled. {SENT_BEFORE}")
    water(maple, "2026-03", 80_00, issuer=GAS, kind="GAS")
    at(maple, "2026-04-08T12:00")
    assert (status(maple), run_of(maple)) == ("DRAFT", (PROPOSED, SENT_BEFORE))


def test_switching_it_on_or_choosing_another_day_sends_nothing_whose_day_has_passed(maple: House) -> None:
    water(maple, "2026-03")
    maple.clock.moment = datetime(2026, 4, 10, 12, tzinfo=UTC)
    runs(maple, "send", 20)
    runs(maple, "send", 8)
    at(maple, "2026-04-25T12:00")
    assert status(maple) == "DRAFT"
    assert run_of(maple) is None
    assert "when that was turned on: automatic sending starts with April 2026" in (said_of_month(maple) or "")
    account = maple.landlord.read(stored_accounts.find)
    assert account is not None
    assert account.automatic_from == "2026-04"
    runs(maple, "off")
    assert maple.landlord.see(month_runs.outlook) is None
    assert said_of_month(maple) is None


def test_what_was_proposed_stays_a_proposal_where_months_are_to_be_sent_from_now_on(maple: House) -> None:
    runs(maple, "propose")
    water(maple, "2026-03")
    at(maple, "2026-04-06T12:00")
    assert run_of(maple) == (PROPOSED, None)
    at(maple, "2026-05-04T12:00")
    water(maple, "2026-04")
    runs(maple, "send")
    at(maple, "2026-05-04T23:00")
    assert (status(maple), run_of(maple)) == ("DRAFT", (PROPOSED, BEFORE))
    assert BEFORE in (said_of_month(maple) or "")
    at(maple, "2026-05-06T12:00")
    assert status(maple) == "DRAFT", "its day was in April"
    assert status(maple, "2026-04") == "SENT"
    runs(maple, "propose")
    account = maple.landlord.read(stored_accounts.find)
    assert account is not None
    assert account.automatic_sends_from is None


def test_another_time_zone_sends_nothing_before_the_next_morning_there(maple: House) -> None:
    runs(maple, timezone="America/Los_Angeles")
    water(maple, "2026-03")
    at(maple, "2026-04-05T01:00")  # 18:00 on the 4th
    maple.landlord.do(accounts.change_settings, Wishes(timezone="Asia/Tokyo"))  # 10:00 on the 5th
    maple.work()
    assert status(maple) == "DRAFT"
    assert "will be sent automatically in the morning, at 9:00" in (said_of_month(maple) or "")
    at(maple, "2026-04-05T23:59")
    assert status(maple) == "DRAFT"
    at(maple, "2026-04-06T00:00")
    assert status(maple) == "SENT"


def test_switching_it_off_forgets_what_waits_and_sends_nothing(maple: House) -> None:
    runs(maple)
    water(maple, "2026-03")
    at(maple, "2026-04-04T12:00")
    assert run_of(maple) == ("ready", None)
    runs(maple, "off")
    assert run_of(maple) is None
    at(maple, "2026-04-06T12:00")
    assert status(maple) == "DRAFT"


def test_a_large_month_is_closed_at_once_and_each_of_its_invoices_is_sent_once(
    maple: House, clock: MovableClock
) -> None:
    landlord, oak = maple.landlord, maple.landlord.property_("Oak House")
    for unit in landlord.units(oak, *map(str, range(1, 131))):
        landlord.tenant(unit, f"Tenant {unit.label}")
    for month in ("2025-12", "2026-01", "2026-02", "2026-03"):
        landlord.bill(oak, 1_300_00, on=date.fromisoformat(f"{month}-20"))
    runs(maple)
    clock.moment = datetime(2026, 4, 5, 9, tzinfo=UTC)
    place = stored.MonthPlace("2026-03", oak.id)
    for _ in range(2):
        landlord.run(lambda tx: month_runs.propose_or_send(tx, landlord.account.id, place))
    month = landlord.month(oak, "2026-03")
    assert month is not None
    assert (month.is_closed, month.draft, month.sent) == (True, 30, 100)
    landlord.bill(oak, 99_00, on=date(2026, 3, 28))  # too late: it is on none of them
    maple.work()
    month = landlord.month(oak, "2026-03")
    assert month is not None
    assert (month.draft, month.sent, month.billed) == (0, 130, 1_300_00)
    assert outlook(maple).done == "On 2026-04-05, 130 invoices of Oak House were sent."
    said = [event.says for event in landlord.see(activity.page, limit=100) if event.actor == "months"]
    assert len([one for one in said if "130" in one]) == 1


class Killed(Exception):
    """The error that a test raises when a worker is killed."""


def test_a_worker_that_is_killed_before_it_commits_has_sent_nothing_and_the_next_one_does(maple: House) -> None:
    runs(maple)
    water(maple, "2026-03")
    maple.clock.moment = datetime(2026, 4, 5, 9, tzinfo=UTC)
    place = stored.MonthPlace("2026-03", maple.maple.id)

    def killed(tx: Tx) -> None:
        month_runs.propose_or_send(tx, maple.landlord.account.id, place)
        raise Killed

    with pytest.raises(Killed):
        maple.landlord.run(killed)
    assert (status(maple), run_of(maple), outlook(maple).done) == ("DRAFT", None, None)
    maple.work()
    assert status(maple) == "SENT"
    maple.work(days=1)
    assert outlook(maple).done == "On 2026-04-05, 1 invoice of Maple Court was sent."
    assert len(maple.outbox()) == 1


def test_a_worker_that_is_told_to_stop_leaves_the_other_months_to_the_next(maple: House) -> None:
    runs(maple)
    water(maple, "2026-03")
    maple.clock.moment = datetime(2026, 4, 5, 9, tzinfo=UTC)
    stopping = threading.Event()
    stopping.set()
    job = Job(maple.landlord.account.id, "job_1", "months", {}, None, 1)
    assert isinstance(MONTHS_KIND.handler(job, maple.landlord.database, Lease(stopping)), Later)
    assert status(maple) == "DRAFT"
    assert isinstance(MONTHS_KIND.handler(job, maple.landlord.database, Lease(threading.Event())), Done)
    assert status(maple) == "SENT"


class Refusing:
    """A database that refuses its first write."""

    def __init__(self, database: Database) -> None:
        self._database, self._left = database, 1
        self.read = database.read

    def write(self, work: Callable[[Tx], Result]) -> Result:
        self._left -= 1
        if self._left == 0:
            raise Conflict("Something stands against it.")
        return self._database.write(work)


def test_a_month_that_cannot_be_sent_says_why_and_keeps_no_other_waiting(maple: House) -> None:
    elm = maple.landlord.property_("Elm House")
    maple.landlord.tenant(maple.landlord.unit(elm, "1"), "Bo")
    for month in ("2025-12", "2026-01", "2026-02", "2026-03"):
        maple.landlord.bill(elm, 10_00, on=date.fromisoformat(f"{month}-20"))
    runs(maple)
    water(maple, "2026-03")
    maple.clock.moment = datetime(2026, 4, 5, 9, tzinfo=UTC)
    job = Job(maple.landlord.account.id, "job_1", "months", {}, None, 1)
    database: Any = Refusing(maple.landlord.database)
    MONTHS_KIND.handler(job, database, Lease(threading.Event()))
    assert run_of(maple) == (WAITS, "Something stands against it.")
    assert maple.landlord.statuses(elm, "2026-03") == {"1": "SENT"}
    at(maple, "2026-04-06T09:00")
    assert status(maple) == "SENT"


def test_a_month_that_one_worker_was_refused_and_another_has_sent_stays_sent(maple: House) -> None:
    runs(maple)
    water(maple, "2026-03")
    at(maple, "2026-04-05T09:00")
    place, refused = MonthPlace(maple.maple.id, "2026-03"), Conflict("Something stood against it.")
    maple.landlord.run(lambda tx: month_runs.note_refused(tx, maple.landlord.account.id, place, refused))
    assert run_of(maple) == (SENT, None)


def test_a_property_that_is_deleted_takes_what_was_noted_along(maple: House) -> None:
    runs(maple, "propose")
    water(maple, "2026-03")
    at(maple, "2026-04-06T12:00")
    maple.landlord.do(properties.remove, maple.maple.id, maple.landlord.archive)
    assert outlook(maple).proposals == ()
    at(maple, "2026-04-07T12:00")


def test_no_job_is_left_behind_and_none_fails(maple: House) -> None:
    runs(maple)
    water(maple, "2026-03")
    at(maple, "2026-04-07T12:00")
    ended = maple.landlord.read(stored_jobs.find_live, "months", "months")
    assert ended is None


# --- what the overview costs ------------------------------------------------------------------------------------------


class Counting:
    """A transaction that records how many rows each of its statements returns."""

    def __init__(self, tx: Tx) -> None:
        self._tx, self.rows = tx, list[int]()

    def __getattr__(self, name: str) -> Any:
        work = getattr(self._tx, name)

        def noted(*arguments: Any, **named: Any) -> Any:
            found = work(*arguments, **named)
            self.rows.append(len(found) if isinstance(found, list) else 1)
            return found

        return noted if name in ("one", "all") else work


def test_the_overview_asks_the_same_whether_few_months_wait_or_many(landlord: Landlord, clock: MovableClock) -> None:
    landlord.do(accounts.change_settings, Wishes(automatic="propose", automatic_day=5))

    def cost() -> tuple[int, int]:
        counting: list[Counting] = []

        def ask(tx: Tx) -> None:
            counting.append(Counting(tx))
            month_runs.outlook(counting[0], landlord.caller)  # type: ignore[arg-type]

        landlord.database.read(ask)
        return len(counting[0].rows), max(counting[0].rows)

    few = cost()
    for number in range(30):
        of = landlord.property_(f"House {number}")
        landlord.tenant(landlord.unit(of, "1"), "Ann")
        landlord.bill(of, 10_00, on=date(2026, 3, 20))
        row = stored.RunRow(landlord.account.id, of.id, "2026-03", (PROPOSED, WAITS)[number % 2], 1, "x", "2026-04-05")
        landlord.run(lambda tx, row=row: stored.put(tx, row))  # type: ignore[misc]
    found = landlord.see(month_runs.outlook)
    assert found is not None
    assert (found.proposed, found.waiting, len(found.waits)) == (15, 15, month_runs.NAMED)
    assert cost() == (few[0], month_runs.NAMED)
