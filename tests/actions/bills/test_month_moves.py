"""Unsent bills can be moved to the months that a new rule says."""

from datetime import date
from typing import Any

import pytest

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.bills import bills, entries, month_moves
from prorata.actions.invoices import final_invoices
from prorata.actions.limits import MOST_MOVED_BY_RULE
from prorata.actions.properties import properties
from prorata.domain.bills.bills import NewBill
from prorata.domain.bills.forms import BillForm, FormLine
from prorata.errors import Conflict, NotFound
from prorata.store.bills.bills import BillSummary
from prorata.store.properties.properties import PropertyRow
from tests.landlord import Landlord

ACROSS, WITHIN = ("2026-01-16", "2026-02-15"), ("2026-02-01", "2026-02-28")
"""A service with most days in January that ends in February, and one within February."""


@pytest.fixture
def maple(landlord: Landlord) -> PropertyRow:
    return house(landlord)


def house(landlord: Landlord, **more: Any) -> PropertyRow:
    of = landlord.property_(**more)
    for unit in landlord.units(of, "1", "2"):
        landlord.tenant(unit, f"Tenant {unit.label}")
    return of


def bill(
    landlord: Landlord, of: PropertyRow, issuer: str = "Aqua", service: tuple[str, str] = ACROSS, **more: Any
) -> BillSummary:
    days = dict(zip(("service_start", "service_end"), service, strict=True))
    form = BillForm(of.id, issuer, "120", "2026-03-02", (FormLine("WATER", "120"),), **days, **more)
    return landlord.do(entries.enter_unseen, form)


def by_end(landlord: Landlord, **more: Any) -> None:
    landlord.do(accounts.change_settings, Wishes(billing_month_rule="SERVICE_END", **more))


def months(landlord: Landlord, *rows: BillSummary) -> list[str | None]:
    return [landlord.see(bills.find, row.id).billing_month for row in rows]


def test_bills_that_a_rule_put_in_an_open_month_are_moved_and_their_drafts_follow(landlord, maple):
    moved, chosen = bill(landlord, maple), bill(landlord, maple, "Rain", billing_month="2026-01")
    stays = bill(landlord, maple, "Lake", WITHIN)
    assert landlord.totals(maple, "2026-01") == {"1": 120_00, "2": 120_00}
    by_end(landlord)
    would = landlord.see(month_moves.would_move, maple.id)
    assert [(its.bill.id, its.month, its.amount) for its in would.good] == [(moved.id, "2026-02", 120_00)]
    assert (would.left, would.more) == ((), 0)
    done = landlord.do(month_moves.move_all, seen=would.seen)
    assert [its.bill.id for its in done.good] == [moved.id]
    assert months(landlord, moved, chosen, stays) == ["2026-02", "2026-01", "2026-02"]
    assert landlord.totals(maple, "2026-01") == {"1": 60_00, "2": 60_00}
    assert landlord.totals(maple) == {"1": 120_00, "2": 120_00}
    assert landlord.see(month_moves.would_move) == ((), (), 0, landlord.do(month_moves.move_all).seen)
    landlord.sound()


def test_a_bill_stays_where_its_month_or_the_new_one_was_sent_and_the_reason_is_said(landlord, maple):
    elm = house(landlord, name="Elm")
    sent, to_sent = bill(landlord, elm), bill(landlord, maple)
    bill(landlord, maple, "Lake", WITHIN)
    landlord.set_status(elm, "1", "SENT", "2026-01")
    landlord.set_status(maple, "1", "SENT", "2026-02")
    by_end(landlord)
    would = landlord.see(month_moves.would_move)
    assert [(its.bill.id, its.problem) for its in would.left] == [
        (to_sent.id, "Invoices for February 2026 have already been sent.")
    ]
    assert not would.good
    assert landlord.do(month_moves.move_all).left == would.left
    assert months(landlord, sent, to_sent) == ["2026-01", "2026-01"]
    landlord.do(accounts.change_settings, Wishes(late_bills="next open month"))
    assert [its.month for its in landlord.do(month_moves.move_all).good] == ["2026-03"]
    landlord.sound()


def test_a_bill_that_waits_since_its_month_was_sent_moves_and_is_charged(landlord, maple):
    sent = bill(landlord, maple)
    landlord.set_status(maple, "1", "SENT", "2026-01")
    waits = bill(landlord, maple, "Rain")
    landlord.do(accounts.change_settings, Wishes(hold_flagged=True))
    held = bill(landlord, maple)
    assert [landlord.see(bills.find, row.id).waiting for row in (sent, waits)] == [False, True]
    by_end(landlord)
    assert landlord.see(month_moves.count_sent) == landlord.see(month_moves.count_sent, maple.id) == 1
    would = landlord.see(month_moves.would_move)
    assert {its.bill.id for its in would.good} == {waits.id, held.id}
    landlord.do(month_moves.move_all, seen=would.seen)
    assert months(landlord, sent, waits, held) == ["2026-01", "2026-02", "2026-02"]
    assert landlord.totals(maple) == {"1": 60_00, "2": 60_00}
    assert not landlord.see(bills.find, waits.id).waiting
    landlord.sound()


def test_history_stays_history_and_no_bill_becomes_history(landlord):
    maple = house(landlord, billing_starts_month="2026-02")
    history, first = bill(landlord, maple), bill(landlord, maple, "Lake", ("2026-01-20", "2026-02-25"))
    by_end(landlord)
    assert not landlord.see(month_moves.would_move).good
    assert months(landlord, history, first) == ["2026-01", "2026-02"]
    landlord.do(accounts.change_settings, Wishes(billing_month_rule="BILL_DATE"))
    landlord.do(month_moves.move_all)
    assert months(landlord, history, first) == ["2026-01", "2026-03"]
    landlord.do(properties.change, maple.id, {"billing_starts_month": "2026-03"})
    by_end(landlord)
    (left,) = landlord.see(month_moves.would_move).left
    assert (left.bill.id, left.problem) == (first.id, "February 2026 is before the first month to bill.")


def test_a_property_follows_its_own_rule_and_can_be_moved_alone(landlord, maple):
    elm = house(landlord, name="Elm")
    of_maple, of_elm = bill(landlord, maple), bill(landlord, elm)
    landlord.do(properties.change, elm.id, {"billing_month_rule": "BILL_DATE"})
    by_end(landlord)
    landlord.do(month_moves.move_all, elm.id)
    assert months(landlord, of_maple, of_elm) == ["2026-01", "2026-03"]
    assert [its.bill.id for its in landlord.see(month_moves.would_move).good] == [of_maple.id]
    with pytest.raises(NotFound):
        landlord.see(month_moves.would_move, "prop_none")


def test_a_held_bill_moves_and_still_charges_nobody(landlord, maple):
    bill(landlord, maple)
    landlord.do(accounts.change_settings, Wishes(hold_flagged=True))
    held = bill(landlord, maple)
    assert held.held
    by_end(landlord)
    assert held.id in {its.bill.id for its in landlord.do(month_moves.move_all).good}
    assert landlord.totals(maple) == {"1": 60_00, "2": 60_00}
    after = landlord.see(bills.find, held.id)
    assert (after.held, after.billing_month) == (True, "2026-02")
    landlord.sound()


def test_spread_bills_and_bills_without_service_days_stay(landlord, maple):
    rows = [
        bill(landlord, maple, service=("2025-12-10", "2026-02-25"), spread=True),
        bill(landlord, maple, "Rain", service=("", "")),
    ]
    before = months(landlord, *rows)
    by_end(landlord)
    assert not landlord.do(month_moves.move_all).good
    assert months(landlord, *rows) == before


def test_moves_that_nobody_confirmed_are_not_made(landlord, maple):
    bill(landlord, maple)
    by_end(landlord)
    seen = landlord.see(month_moves.would_move).seen
    bill(landlord, maple, "Rain", billing_month="")
    landlord.do(accounts.change_settings, Wishes(billing_month_rule="BILL_DATE"))
    with pytest.raises(Conflict, match="Review them"):
        landlord.do(month_moves.move_all, seen=seen)


def test_a_bill_on_a_final_invoice_stays_and_so_do_those_beyond_the_most_at_once(landlord, maple):
    charged = bill(landlord, maple)
    new = [
        NewBill(maple.id, f"Rain {number}", ("WATER",), 100, date(2026, 3, 2), service_start=date(2026, 1, 16),
                service_end=date(2026, 2, 15))
        for number in range(MOST_MOVED_BY_RULE)
    ]  # fmt: skip
    ann = landlord.tenant(landlord.unit(maple, "3"), "Ann", move_out="2026-01-20")
    landlord.do(final_invoices.send, ann.id)
    landlord.do(bills.add, new)
    by_end(landlord)
    would = landlord.see(month_moves.would_move)
    assert (len(would.good), would.more) == (MOST_MOVED_BY_RULE - 1, 1)
    (left,) = would.left
    assert left.bill.id == charged.id
    assert str(left.problem).startswith("It is on invoice MAPLECOURT-3.1-2026-01, which")
