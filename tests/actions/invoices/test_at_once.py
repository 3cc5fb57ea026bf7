"""Many simultaneous changes lose nothing and do nothing twice.

Unique values stay unique, nothing is charged twice, and every change that was answered is stored.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from prorata.actions.bills import bills
from prorata.actions.exports import charge_exports, charge_names
from prorata.actions.intake import documents
from prorata.actions.invoices import invoices
from prorata.actions.payments import payments
from prorata.actions.payments.payments import Received
from prorata.actions.properties import units
from prorata.actions.splitting import share_rules
from prorata.actions.splitting.share_rules import Terms
from prorata.adapters.exports.charge_layout_files import load_layouts
from prorata.domain.billing_calendar import Month
from prorata.domain.bills.bills import NewBill
from prorata.errors import ChangedMeanwhile, Conflict, NotFound, Refusal
from prorata.store.database.engine import Database
from prorata.store.database.postgresql import PostgresqlDatabase
from prorata.store.database.sqlite import SqliteDatabase
from prorata.store.exports import charge_exports as stored_charge_exports
from prorata.store.webhooks.event_outbox import note_deeds
from tests.landlord import Landlord, MovableClock
from tests.meanwhile import while_somebody_else_writes

AT_ONCE = 16
METHODS = ("EQUAL", "SQFT", "OCCUPANTS", "BEDROOMS")


@pytest.fixture
def database(migrated_url: str, clock: MovableClock) -> Iterator[Database]:
    """A database whose writers wait longer than usual, because here all write at once."""
    database: Database
    if migrated_url.startswith("sqlite"):
        database = SqliteDatabase(
            Path(migrated_url.removeprefix("sqlite:///")), clock, listener=note_deeds, patience=60.0
        )
    else:
        database = PostgresqlDatabase(migrated_url, clock, listener=note_deeds)
    yield database
    database.close()


def all_at_once(work: Callable[[Any], Any], each: Any) -> list[Any]:
    """Return the result of each piece of work, or the refusal that it raised."""

    def answer(item: Any) -> Any:
        try:
            return work(item)
        except Refusal as refusal:
            return refusal

    with ThreadPoolExecutor(AT_ONCE) as threads:
        return list(threads.map(answer, each))


@pytest.fixture
def maple(landlord: Landlord):
    maple = landlord.property_()
    for label, sqft in (("1", 300), ("2", 600), ("3", 900)):
        landlord.tenant(landlord.unit(maple, label, sqft=sqft, bedrooms=int(label)), f"Tenant {label}")
    landlord.bill(maple, 90_00)
    return maple


def test_of_64_rules_posted_at_once_one_is_left(landlord, maple):
    methods = [method for method, _ in zip(cycle(METHODS), range(64), strict=False)]
    answers = all_at_once(lambda method: landlord.rule(maple, "WATER", method).row, methods)
    assert len({row.id for row in answers}) == 64
    left = landlord.see(share_rules.of_property, maple.id)
    assert Counter(rule.row.utility_type for rule in left)["WATER"] == 1
    assert {rule.row.id for rule in left if rule.row.utility_type == "WATER"} <= {row.id for row in answers}


def test_one_status_set_by_many_at_once_charges_nothing_twice(landlord, maple):
    ids = [one.summary.id for one in landlord.invoices(maple).values()]
    statuses = ["SENT", "DRAFT", "CANCELLED", "PAID", "DRAFT", "OVERDUE"]
    wanted = [(ids[at % 3], statuses[at % len(statuses)]) for at in range(60)]
    answers = all_at_once(lambda one: landlord.do(invoices.set_status, *one), wanted)
    assert all(not isinstance(answer, Refusal) for answer in answers)
    landlord.sound()
    for invoice_id in ids:
        landlord.do(invoices.set_status, invoice_id, "DRAFT")
    assert landlord.totals(maple) == {"1": 30_00, "2": 30_00, "3": 30_00}
    assert all(len(one.charges) == 1 for one in landlord.invoices(maple).values())


def test_of_many_equal_bills_added_at_once_one_is_there(landlord, maple):
    bill = NewBill(maple.id, "Gas Co.", ("GAS",), 30_00, date(2026, 2, 3))
    answers = all_at_once(lambda _: landlord.do(bills.add, [bill]), range(24))
    assert sum(len(answer.bills) for answer in answers) == 1
    assert landlord.totals(maple) == {"1": 40_00, "2": 40_00, "3": 40_00}


def test_of_many_units_of_one_label_added_at_once_one_is_there(landlord, maple):
    answers = all_at_once(lambda _: landlord.do(units.create, maple.id, {"label": "4"}), range(24))
    assert sum(not isinstance(answer, Conflict) for answer in answers) == 1
    assert sorted(landlord.totals(maple)) == ["1", "2", "3", "4"]


def test_properties_of_one_name_created_at_once_get_codes_of_their_own(landlord, maple):
    rows = all_at_once(lambda _: landlord.property_(), range(24))
    assert len({row.code for row in (maple, *rows)}) == 25


def test_a_file_that_two_bring_at_once_is_kept_once(landlord):
    take = partial(documents.take, caller=landlord.caller, name="a.pdf", content=b"%PDF-1.7", way="upload")
    theirs = []
    mine = while_somebody_else_writes(landlord.database, lambda tx: theirs.append(take(tx)), take)
    assert (theirs[0].is_new, mine.is_new, mine.row.id) == (True, False, theirs[0].row.id)


def test_different_changes_at_once_end_as_if_one_had_come_after_the_other(landlord, maple, clock):
    gas = landlord.bill(maple, 30_00, "GAS")
    rule_id = landlord.rules(maple)["WATER"].id
    first = landlord.invoices(maple)["1"].summary.id
    changes: list[Callable[[], Any]] = [
        lambda: landlord.rule(maple, "GAS", "SQFT"),
        lambda: landlord.change_rule(rule_id, split_method="BEDROOMS"),
        lambda: landlord.unit(maple, "5"),
        lambda: landlord.do(invoices.set_status, first, "SENT"),
        lambda: landlord.do(invoices.set_status, first, "DRAFT"),
        lambda: landlord.bills(maple, 12_00, "SEWER"),
        lambda: landlord.remove_bill(gas),
        lambda: landlord.do(invoices.add_custom_charge, first, "Key", 1_00),
    ]
    answers = all_at_once(lambda change: change(), changes * 3)
    refusals = [answer for answer in answers if isinstance(answer, Refusal)]
    assert all(isinstance(refusal, Conflict | NotFound) for refusal in refusals)


def test_bills_of_several_properties_given_in_any_order_block_nobody_for_good(landlord, maple):
    houses = [maple, *(landlord.property_(f"House {at}") for at in range(4))]
    for house in houses[1:]:
        landlord.unit(house, "1")

    def add(turn: int) -> int:
        order = houses[turn % 5 :] + houses[: turn % 5]
        new = [NewBill(house.id, f"Issuer {turn}", ("GAS",), 100, date(2026, 2, 1)) for house in order]
        return len(landlord.do(bills.add, new).bills)

    assert all_at_once(add, range(20)) == [5] * 20


def test_terms_of_a_rule_changed_at_once_are_those_of_one_of_them(landlord, maple):
    rule_id = landlord.rules(maple)["WATER"].id
    all_at_once(lambda method: landlord.change_rule(rule_id, split_method=method), METHODS * 8)
    (shown,) = [one for one in landlord.see(share_rules.of_property, maple.id) if one.row.id == rule_id]
    assert shown.row.split_method in METHODS
    assert isinstance(landlord.terms(shown.row.split_method), Terms)


def test_of_16_who_save_a_form_opened_on_one_version_one_is_heard(landlord, maple):
    unit = landlord.stored_units(maple)[0]
    landlord.clock.forward(seconds=1)

    def save(sqft: int) -> object:
        return landlord.do(units.change, unit.id, {"sqft": sqft}, seen=unit.updated_at)

    answers = all_at_once(save, range(1000, 1000 + AT_ONCE))

    (saved,) = [answer for answer in answers if not isinstance(answer, Refusal)]
    assert {type(answer) for answer in answers if isinstance(answer, Refusal)} == {ChangedMeanwhile}
    assert landlord.stored_units(maple)[0] == saved


def test_payments_that_come_at_once_all_count_and_one_that_comes_many_times_counts_once(landlord, maple):
    one, two, three = (landlord.set_status(maple, label, "SENT").summary.id for label in "123")
    day = landlord.clock().date()
    same = [(two, Received(5_00, day, provider="sandbox", source="sandbox:ch_1"))]
    several = [(one, Received(1_00, day)), (three, Received(2_00, day)), (two, Received(3_00, day))]
    answers = all_at_once(lambda wanted: landlord.do(payments.receive_many, wanted), [same, several, several[::-1]] * 4)
    assert not [answer for answer in answers if isinstance(answer, Refusal)]
    paid = {label: shown.summary.paid_amount for label, shown in landlord.invoices(maple).items()}
    assert paid == {"1": 8_00, "2": 29_00, "3": 16_00}
    assert landlord.month(maple).received == 53_00


def test_files_of_charges_made_at_once_hold_each_invoice_once(landlord: Landlord, maple) -> None:
    layout, february = load_layouts()["buildium"], charge_exports.Wish(Month("2026-02"), most=1)
    for label in ("1", "2", "3"):
        landlord.set_status(maple, label, "SENT")
    landlord.do(charge_names.enter, layout, {("account", "WATER"): "4100"})
    landlord.do(charge_names.take_ours, layout, [maple.id])
    answers = all_at_once(lambda _: landlord.do(charge_exports.make, layout, february), range(AT_ONCE))
    made = [one for one in answers if not isinstance(one, Refusal)]
    assert Counter(type(one) for one in answers if isinstance(one, Refusal)) == {Conflict: AT_ONCE - 3}
    numbers = [one.number for one in landlord.read(stored_charge_exports.of_property, maple.id)]
    assert len(made) == len(numbers) == len(set(numbers)) == 3
