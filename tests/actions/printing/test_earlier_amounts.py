"""An invoice shows its amounts beside those of a month and a year before.

A tenant sees only amounts of their own household, and a sent invoice keeps those that it was sent with.
"""

from datetime import date

import pytest

from prorata.actions.invoices import invoices
from prorata.actions.printing import earlier_amounts, printed_invoices
from prorata.actions.properties import tenants
from prorata.actions.recalculation import correction_decisions
from prorata.domain.printing.earlier_amounts import Then
from prorata.store.invoices import invoices as stored_invoices
from tests.actions.recalculation.corrected_house import (
    APRIL,
    MARCH as CORRECTED,
    ann_left,
    april_bill,
    corrected_bill,
    eve_came,
    sent_house,
)
from tests.landlord import Landlord

MARCH_A_YEAR_AGO, FEBRUARY, MARCH = "2025-03", "2026-02", "2026-03"


@pytest.fixture
def maple(landlord: Landlord):
    """Two units with a tenant each, and bills for water and gas.

    There is $80.00 of water a year ago, $90.00 in February and $100.00 in March, and gas in February and March.
    """
    maple = landlord.property_()
    one, two = landlord.units(maple, "1", "2")
    landlord.tenant(one, "Ann")
    landlord.tenant(two, "Bo")
    landlord.bill(maple, 80_00, on=date(2025, 3, 5))
    landlord.bill(maple, 90_00)
    landlord.bill(maple, 20_00, "GAS")
    landlord.bill(maple, 100_00, on=date(2026, 3, 5))
    landlord.bill(maple, 30_00, "GAS", on=date(2026, 3, 5))
    return maple


def send(landlord, maple, *months, label="1"):
    for month in months:
        landlord.set_status(maple, label, "SENT", month=month)


def beside(landlord, maple, label="1", month=MARCH):
    """Return the earlier amounts beside an invoice's charges, by utility type or description."""
    found = landlord.see(printed_invoices.find, landlord.invoices(maple, month)[label].summary.id)
    return {one.utility_type or one.description: tuple(then.amount for then in one.earlier) for one in found.charges}


def test_a_draft_is_compared_with_what_was_sent_and_with_nothing_else(landlord, maple):
    assert beside(landlord, maple) == {"WATER": (None, None), "GAS": (None, None)}, "nothing was sent"
    send(landlord, maple, FEBRUARY)
    assert beside(landlord, maple) == {"WATER": (45_00, None), "GAS": (10_00, None)}
    send(landlord, maple, MARCH_A_YEAR_AGO)
    assert beside(landlord, maple) == {"WATER": (45_00, 40_00), "GAS": (10_00, None)}
    assert beside(landlord, maple, "2") == {"WATER": (None, None), "GAS": (None, None)}, "Bo was sent nothing"
    landlord.set_status(maple, "1", "CANCELLED", month=MARCH_A_YEAR_AGO)
    assert beside(landlord, maple)["WATER"] == (45_00, None)


def test_beside_what_was_sent_is_the_part_of_the_bills_that_was_divided(landlord, maple):
    landlord.bill(maple, 7_00, issuer="Well & Co.")
    send(landlord, maple, MARCH_A_YEAR_AGO, FEBRUARY)
    found = landlord.see(printed_invoices.find, landlord.invoices(maple, MARCH)["1"].summary.id).charges
    assert {one.utility_type: one.earlier for one in found} == {
        "WATER": (Then(48_50, 97_00), Then(40_00, 80_00, "1:2:EQUAL")), "GAS": (Then(10_00, 20_00, "1:2:EQUAL"), Then()),
    }  # fmt: skip


def test_bills_for_other_are_compared_by_their_names(landlord, maple):
    for name, amounts in (("Heating", (200_00, 240_00)), ("Lift", (50_00, 60_00))):
        for amount, on in zip(amounts, (date(2026, 2, 5), date(2026, 3, 5)), strict=True):
            landlord.bill(maple, amount, "OTHER", on, issuer=f"{name} Co.", names=(("OTHER", name),))
    landlord.rule(maple, "OTHER")
    send(landlord, maple, FEBRUARY)
    invoice_id = landlord.invoices(maple, MARCH)["1"].summary.id
    charges = landlord.see(printed_invoices.find, invoice_id).charges
    assert {one.own_name: one.earlier[0].amount for one in charges if one.own_name} == {
        "Heating": 100_00, "Lift": 25_00,
    }  # fmt: skip


def test_what_a_person_added_is_compared_by_its_name(landlord, maple):
    for month, amount in ((FEBRUARY, 30_00), (MARCH, 31_00)):
        invoice_id = landlord.invoices(maple, month)["1"].summary.id
        landlord.do(invoices.add_custom_charge, invoice_id, "Garage", amount)
        landlord.do(invoices.add_custom_charge, invoice_id, f"Key of {month}", 1_00)
    send(landlord, maple, FEBRUARY)
    assert (beside(landlord, maple)["Garage"], beside(landlord, maple)["Key of 2026-03"]) == (
        (30_00, None),
        (None, None),
    )


def test_a_sent_invoice_keeps_what_it_was_compared_with_whatever_becomes_of_the_earlier_ones(landlord, maple, clock):
    send(landlord, maple, FEBRUARY, MARCH)
    before = landlord.see(printed_invoices.find, landlord.invoices(maple, MARCH)["1"].summary.id)
    clock.forward(days=1)
    landlord.set_status(maple, "1", "DRAFT", month=FEBRUARY)
    landlord.bill(maple, 10_00)
    send(landlord, maple, FEBRUARY, MARCH_A_YEAR_AGO)
    assert landlord.totals(maple, FEBRUARY)["1"] == 60_00
    after = landlord.see(printed_invoices.find, landlord.invoices(maple, MARCH)["1"].summary.id)
    asked = [[other.amount for other in one.elsewhere] for one in (before, after)]
    assert asked == [[55_00], [40_00, 60_00]], "which is asked for by now"
    assert after._replace(elsewhere=before.elsewhere) == before
    assert beside(landlord, maple) == {"WATER": (45_00, None), "GAS": (10_00, None)}
    landlord.set_status(maple, "1", "DRAFT", month=MARCH)
    send(landlord, maple, MARCH)
    assert beside(landlord, maple) == {"WATER": (50_00, 40_00), "GAS": (10_00, None)}, "as it is sent again"


def test_what_was_corrected_since_is_compared_as_it_is_right(landlord, clock):
    of = sent_house(landlord, clock)
    april_bill(landlord, of)
    corrected_bill(landlord, of)

    def billed():
        found = landlord.see(printed_invoices.find, landlord.invoices(of, APRIL)["1"].summary.id)
        return [tuple(then.billed for then in one.earlier) for one in found.charges if not one.corrects_month]

    assert (beside(landlord, of, month=APRIL), billed()) == ({"WATER": (192_06, None)}, [(None, None)]), "undecided"
    landlord.do(correction_decisions.decide, of.id, [CORRECTED], "next")
    for status in ("DRAFT", "SENT"):
        landlord.set_status(of, "1", status, APRIL)
        found = landlord.see(printed_invoices.find, landlord.invoices(of, APRIL)["1"].summary.id)
        ((amount, last),) = [(one.amount, one.earlier[0]) for one in found.charges if not one.corrects_month]
        assert (amount, last.amount) == (60_00, 144_06)
        assert billed() == [(240_10, None)]
    landlord.bill(of, 50_00, on=date(2027, 3, 20))
    assert beside(landlord, of, month="2027-03") == {"WATER": (None, 144_06)}, "which April's invoice has charged"


def test_an_undecided_correction_of_a_neighbor_hides_nothing_of_what_was_billed(landlord, clock):
    of = sent_house(landlord, clock)
    ann_left(landlord, of)
    eve_came(landlord, of)
    april_bill(landlord, of)
    rows = landlord.read(stored_invoices.of_months, [of.id], [APRIL])
    assert [row.tenant_name for row in rows] == ["Eve", "Bo"]
    found = landlord.read(earlier_amounts.of_invoices, rows)
    (water,) = found[rows[1].id]
    assert (water.month_before, water.billed_month_before) == (128_04, 320_10)


def test_who_moved_in_sees_nothing_of_what_the_one_before_paid(landlord, maple):
    send(landlord, maple, MARCH_A_YEAR_AGO, FEBRUARY)
    ann = landlord.read(stored_invoices.find, landlord.invoices(maple, FEBRUARY)["1"].summary.id).tenant_id
    landlord.do(tenants.change, ann, {"move_out": "2026-02-28"})
    landlord.tenant(landlord.stored_units(maple)[0], "Eve", move_in="2026-03-01")
    nothing = {"WATER": (None, None), "GAS": (None, None)}
    assert landlord.invoices(maple, MARCH)["1"].summary.tenant_name == "Eve"
    assert beside(landlord, maple) == nothing
    send(landlord, maple, MARCH)
    assert beside(landlord, maple) == nothing
    assert "4500" not in (
        landlord.read(stored_invoices.find, landlord.invoices(maple, MARCH)["1"].summary.id).printed or ""
    )


def test_months_that_were_not_lived_in_throughout_are_not_compared(landlord, maple):
    send(landlord, maple, MARCH_A_YEAR_AGO, FEBRUARY)
    ann = landlord.read(stored_invoices.find, landlord.invoices(maple, FEBRUARY)["1"].summary.id).tenant_id
    whole, nothing = {"WATER": (45_00, 40_00), "GAS": (10_00, None)}, {"WATER": (None, None), "GAS": (None, None)}
    for stay, compared in (
        ({"move_out": "2026-03-31"}, whole),
        ({"move_out": "2026-03-15"}, nothing),
        ({"move_out": None, "move_in": "2026-02-02"}, nothing),
        ({"move_in": "2026-02-01"}, {"WATER": (45_00, None), "GAS": (10_00, None)}),
    ):
        landlord.do(tenants.change, ann, stay)
        assert beside(landlord, maple) == compared, stay


def test_nobodys_invoice_is_compared_with_nothing(landlord, maple):
    send(landlord, maple, FEBRUARY)
    ann = landlord.read(stored_invoices.find, landlord.invoices(maple, FEBRUARY)["1"].summary.id).tenant_id
    landlord.do(tenants.change, ann, {"move_out": "2026-02-28"})
    assert beside(landlord, maple) == {"WATER": (None, None), "GAS": (None, None)}


def test_a_stranger_with_the_same_ids_is_told_nothing(landlord, maple, database, clock):
    send(landlord, maple, FEBRUARY)
    rows = landlord.read(stored_invoices.of_months, [maple.id], [MARCH])
    stranger = Landlord(database, clock, name="stranger")
    assert set(stranger.read(earlier_amounts.of_invoices, rows).values()) == {()}


def test_however_many_invoices_are_sent_the_months_before_are_read_once(landlord, maple):
    send(landlord, maple, FEBRUARY)
    send(landlord, maple, FEBRUARY, label="2")
    rows = landlord.read(stored_invoices.of_months, [maple.id], [FEBRUARY, MARCH])
    seen: list[object] = []
    found = landlord.database.read(
        lambda tx: earlier_amounts.of_invoices(Counting(tx, seen), landlord.account.id, rows)
    )
    assert len(seen) == 3, "the charges, their corrections, and the names of their bills' lines"
    assert {len(amounts) for amounts in found.values()} == {0, 2}


class Counting:
    """A transaction that records its statements."""

    def __init__(self, tx, seen):
        self._tx = tx
        self._seen = seen

    def __getattr__(self, name):
        return getattr(self._tx, name)

    def all(self, statement, **values):
        self._seen.append(statement)
        return self._tx.all(statement, **values)
