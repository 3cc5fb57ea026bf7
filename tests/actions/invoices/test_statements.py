"""Statements of tenants add up for any range of days.

The balance before the range and the entries in it make the balance at its end.
"""

from datetime import date, timedelta

import pytest

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.invoices import statements
from prorata.actions.payments import payments
from prorata.actions.payments.payments import Received
from prorata.actions.properties import tenants
from prorata.domain.invoices.ledger import REFUND
from prorata.store.invoices import statements as stored_statements
from tests.landlord import Landlord

TODAY = date(2026, 3, 10)


@pytest.fixture
def maple(landlord: Landlord):
    """Two units with a tenant each, and $90.00 of water for January, February and March."""
    maple = landlord.property_()
    for label, name in (("1", "Ann"), ("2", "Bo")):
        landlord.tenant(landlord.unit(maple, label), name, email=f"{name.lower()}@example.org")
    for month in (1, 2, 3):
        landlord.bill(maple, 90_00, on=date(2026, month, 5))
    return maple


def send(landlord, maple, month, label="1"):
    return landlord.set_status(maple, label, "SENT", month=month).summary


def receive(landlord, invoice, amount, day=TODAY, **more):
    return landlord.do(payments.receive, invoice.id, Received(amount, day, **more))


@pytest.fixture
def ann(landlord: Landlord, maple):
    """The id of Ann, a tenant with many kinds of ledger entries.

    She got two invoices of $45.00. She paid $60.00 on February 1, before the date of the first invoice. A payment of
    $7.00 that never came and a refund of $5.00, both entered by mistake, were taken back. March is marked as paid.
    """
    january = send(landlord, maple, "2026-01")
    receive(landlord, january, 60_00, day=date(2026, 2, 1))
    wrong = receive(landlord, january, 7_00, day=date(2026, 2, 3))
    refund = receive(landlord, january, 5_00, day=date(2026, 2, 5), kind=REFUND)
    landlord.do(payments.take_back, january.id, wrong)
    landlord.do(payments.take_back, january.id, refund)
    send(landlord, maple, "2026-02")
    landlord.set_status(maple, "1", "PAID", month="2026-03")
    return january.tenant_id


def of(landlord, tenant_id, first=None, last=None):
    return landlord.see(statements.of_tenant, tenant_id, first=first, last=last)


def test_it_says_each_entry_by_its_effect_and_what_took_it_back_by_the_opposite(landlord, ann):
    made = of(landlord, ann)
    said = sorted((row.posting.kind, row.posting.of, row.posting.amount) for row in made.found.rows)
    assert said == [
        ("CARRY", "", -15_00), ("CARRY", "", 15_00),
        ("INVOICE", "", 45_00), ("INVOICE", "", 45_00), ("INVOICE", "", 45_00),
        ("MARKED_PAID", "", -45_00),
        ("PAYMENT", "", -60_00), ("PAYMENT", "", -7_00), ("REFUND", "", 5_00),
        ("REVERSAL", "PAYMENT", 7_00), ("REVERSAL", "REFUND", -5_00),
    ]  # fmt: skip
    assert (made.found.opening, made.found.closing, made.balance) == (0, 30_00, 30_00)


def test_a_carry_names_the_other_invoice(landlord, ann):
    given, taken = sorted(
        (row.posting for row in of(landlord, ann).found.rows if row.posting.kind == "CARRY"),
        key=lambda posting: -posting.amount,
    )
    assert (given.other, taken.other) == (taken.number, given.number)


def test_whichever_days_it_is_of_it_sums_and_the_next_one_begins_where_it_ended(landlord, ann):
    whole = of(landlord, ann).found
    for days in range(-1, 60):
        day = date(2026, 1, 31) + timedelta(days=days)
        until = of(landlord, ann, last=day.isoformat())
        since = of(landlord, ann, first=(day + timedelta(days=1)).isoformat())
        assert until.found.closing == since.found.opening
        assert since.found.opening + sum(row.posting.amount for row in since.found.rows) == since.found.closing
        assert (since.found.closing, until.balance, since.balance) == (30_00, 30_00, 30_00)
        both = [row.posting for row in (*until.found.rows, *since.found.rows)]
        assert both == [row.posting for row in whole.rows]


def test_what_marking_as_paid_noted_is_of_its_day_in_the_time_zone_of_the_account(landlord, maple):
    """The clock stands at six in the evening in UTC."""
    sent = landlord.set_status(maple, "1", "PAID", month="2026-01").summary
    for timezone, day in (("Pacific/Kiritimati", "2026-03-11"), ("America/Chicago", "2026-03-10")):
        landlord.do(accounts.change_settings, Wishes(timezone=timezone))
        (row,) = [one for one in of(landlord, sent.tenant_id).found.rows if one.posting.kind == "MARKED_PAID"]
        assert row.posting.day == day
        shown = of(landlord, sent.tenant_id, first=day, last=day).found.rows
        assert row.posting in [one.posting for one in shown]
        before = (date.fromisoformat(day) - timedelta(days=1)).isoformat()
        assert row.posting not in [one.posting for one in of(landlord, sent.tenant_id, last=before).found.rows]


def test_days_at_either_end_of_the_calendar_are_asked_for(landlord, ann):
    whole = of(landlord, ann).found
    assert of(landlord, ann, first="0001-01-01", last="9999-12-31").found == whole
    assert of(landlord, ann, last="0001-01-01").found == (0, (), 0)


def test_of_a_neighbour_it_has_nothing(landlord, maple, ann):
    bo = send(landlord, maple, "2026-01", "2")
    (row,) = of(landlord, bo.tenant_id).found.rows
    assert (row.posting.invoice_id, row.balance) == (bo.id, 45_00)
    assert bo.id not in {one.posting.invoice_id for one in of(landlord, ann).found.rows}


def test_of_the_time_before_one_sum_is_read(landlord, ann):
    asked = []

    class Counting:
        def __init__(self, tx):
            self._tx = tx

        def __getattr__(self, name):
            return getattr(self._tx, name)

        def one(self, statement, **values):
            found = self._tx.one(statement, **values)
            asked.append((statement, 1))
            return found

        def all(self, statement, **values):
            found = self._tx.all(statement, **values)
            asked.append((statement, len(found)))
            return found

    landlord.see(lambda tx, caller: statements.of_tenant(Counting(tx), caller, ann, first="2026-03-11"))
    rows = {id(statement): number for statement, number in asked}
    assert rows[id(stored_statements._POSTINGS)] == 0
    assert rows[id(stored_statements._SUMS)] == 1
    assert len(asked) <= 6


def test_who_moved_out_and_whose_household_did_is_gone(landlord, ann):
    assert not landlord.see(lambda tx, caller: statements.is_gone(tx, caller, statements.of_tenant(tx, caller, ann)))
    landlord.do(tenants.change, ann, {"move_out": "2026-02-28"})
    assert landlord.see(lambda tx, caller: statements.is_gone(tx, caller, statements.of_tenant(tx, caller, ann)))
