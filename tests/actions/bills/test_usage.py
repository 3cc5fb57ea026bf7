"""The usage stated on a bill stays with the bill, even if the bill changes.

A sent invoice keeps the usage as it was at the time of sending.
"""

from decimal import Decimal

import pytest

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.bills import (
    bills,
    corrections as bill_corrections,
    entries as bill_entries,
    flags as bill_flags,
)
from prorata.actions.bills.flags import Decision
from prorata.actions.printing import printed_invoices
from prorata.domain.bills.flags import shown_as
from prorata.domain.bills.forms import BillForm, FormLine
from prorata.domain.usage import Usage
from prorata.errors import Conflict
from tests.landlord import Landlord

WATER = FormLine("WATER", "80", "12.5", "m3", "3.20")
USED = Usage(Decimal("12.5"), "m³", Decimal("3.2"))


@pytest.fixture
def maple(landlord: Landlord):
    maple = landlord.property_()
    landlord.tenant(landlord.units(maple, "1", "2")[0], "Ann", email="ann@example.org")
    return maple


def enter(landlord, of, *lines, **more):
    filled = BillForm(of.id, "Aqua Water Co.", more.pop("total", "90"), "2026-02-20", lines, **more)
    entered = landlord.do(bill_entries.enter, filled)
    decision = Decision(shown_as(entered.flags), ("as it is",) * len(entered.flags))
    return entered.bill or landlord.do(bill_entries.enter, filled, decision=decision).bill


def change(landlord, bill, **wishes):
    before = landlord.see(bill_entries.form_of, bill.id)
    return landlord.do(bill_entries.change, bill.id, before._replace(**wishes))


def printed(landlord, of, month="2026-02"):
    """Return the usage that explains each charge of the first unit's invoice."""
    found = landlord.see(printed_invoices.find, landlord.invoices(of, month)["1"].summary.id)
    return {one.utility_type: one.explanation.line.usage for one in found.charges if one.explanation}


def test_what_was_used_is_kept_with_the_bill_and_stands_on_drafts(landlord, maple):
    bill = enter(landlord, maple, WATER, FormLine("SEWER", "10"))
    assert [row.usage for row in landlord.stored_bills(maple)] == ["WATER=12.5 m³ @ 3.2"]
    assert printed(landlord, maple) == {"WATER": USED, "SEWER": None}
    shown = landlord.see(bill_entries.form_of, bill.id)
    assert [line[2:5] for line in shown.lines] == [("12.5", "m³", "3.2"), ("", "", "")]
    landlord.sound()


def test_it_moves_no_cent_and_makes_no_other_bill(landlord, maple):
    enter(landlord, maple, FormLine("WATER"))
    (without,), totals = landlord.stored_bills(maple), landlord.totals(maple)
    change(landlord, without, lines=(WATER._replace(amount=""),))
    (row,) = landlord.stored_bills(maple)
    assert row._replace(usage=None, updated_at=without.updated_at) == without
    assert row.usage == "WATER=12.5 m³ @ 3.2"
    assert landlord.totals(maple) == totals
    assert printed(landlord, maple) == {"WATER": USED}


def test_a_bill_that_is_spread_says_on_each_of_its_months_what_all_of_it_used(landlord, maple):
    enter(landlord, maple, WATER, FormLine("SEWER", "10"), service_start="2026-01-01", service_end="2026-02-28",
          spread=True)  # fmt: skip
    for month in ("2026-01", "2026-02"):
        assert printed(landlord, maple, month) == {"WATER": USED, "SEWER": None}


def test_a_bill_that_was_held_says_it_once_it_counts(landlord, maple):
    landlord.do(accounts.change_settings, Wishes(hold_flagged=True))
    enter(landlord, maple, FormLine("WATER"))
    again = BillForm(maple.id, "Aqua Water Co.", "90", "2026-02-20", (WATER._replace(amount=""),))
    flags = landlord.do(bill_entries.enter, again).flags
    held = landlord.do(bill_entries.enter, again, decision=Decision(shown_as(flags), ("",), later=True)).bill
    assert held.held
    (flag,) = landlord.see(bill_flags.of_bill, held.id)
    landlord.do(bill_flags.accept, held.id, flag.row.number, "a second meter", flag.mark)
    found = landlord.see(printed_invoices.find, landlord.invoices(maple)["1"].summary.id)
    assert {one.explanation.line.bill_id: one.explanation.line.usage for one in found.charges}[held.id] == USED


def test_a_bill_moved_to_another_month_keeps_it(landlord, maple):
    bill = enter(landlord, maple, WATER, FormLine("SEWER", "10"))
    landlord.do(bills.move, bill.id, "2026-03")
    assert printed(landlord, maple, "2026-03") == {"WATER": USED, "SEWER": None}


def test_a_sent_invoice_says_it_whatever_becomes_of_the_bill(landlord, maple):
    bill = enter(landlord, maple, WATER, FormLine("SEWER", "10"))
    landlord.set_status(maple, "1", "SENT")
    with pytest.raises(Conflict) as refused:
        change(landlord, bill, lines=(WATER._replace(used="13"), FormLine("SEWER", "10")))
    assert [problem.field for problem in refused.value.problems] == ["lines"]
    assert printed(landlord, maple) == {"WATER": USED, "SEWER": None}
    landlord.do(bill_corrections.correct, bill.id, 70_00, {"WATER": 60_00, "SEWER": 10_00})
    assert [row.usage for row in landlord.stored_bills(maple)] == ["WATER=12.5 m³"], "60.00 is not 12.5 m³ at 3.20"
    assert printed(landlord, maple) == {"WATER": USED, "SEWER": None}
    landlord.sound()


def test_a_correction_says_what_was_used_and_else_no_price_of_another_amount(landlord, maple):
    bill = enter(landlord, maple, WATER, FormLine("SEWER", "10"))
    landlord.set_status(maple, "1", "SENT")

    def corrected(water, sewer, **more):
        amounts = {"WATER": water, "SEWER": sewer}
        landlord.do(bill_corrections.correct, bill.id, water + sewer, amounts, **more)
        return landlord.stored_bills(maple)[0].usage

    assert corrected(80_00, 20_00) == "WATER=12.5 m³ @ 3.2", "the water is as it was"
    assert corrected(60_00, 20_00, usages={"WATER": USED._replace(used=Decimal(9))}) == "WATER=9 m³ @ 3.2"
    assert corrected(60_00, 20_00, usages={"WATER": USED}) == "WATER=12.5 m³ @ 3.2", "the amounts may be as they were"
    assert corrected(50_00, 20_00) == "WATER=12.5 m³"
    landlord.sound()


def test_the_next_bill_like_it_begins_without_it(landlord, maple):
    bill = enter(landlord, maple, WATER, FormLine("SEWER", "10"))
    assert [line[1:5] for line in landlord.see(bill_entries.begun_like, bill.id, "").lines] == [("", "", "", "")] * 2
