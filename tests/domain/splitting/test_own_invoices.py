"""Tests of the households that the invoices of a closed month are for.

They use the current facts to find households that have only cancelled invoices, and amounts that are for nobody.
"""

import pytest

from prorata.domain.splitting.invoice_sequences import StoredInvoice
from prorata.domain.splitting.own_invoices import OwnInvoices
from tests.domain.splitting.test_households import LINE, flat, march, month_of, tenant

ANN, BO, CY = tenant("ann", None, march(10)), tenant("bo", march(11), march(20)), tenant("cy", march(21))
OTHER = ("bill_2", 1)
CORRECTED = {(*LINE, "2026-02", None): 1_00}


def of(*stored, tenants=(ANN, CY), emails=()):
    return OwnInvoices(month_of([flat("1", *tenants)], 310_00), {"u1": stored}, emails)


def one(sequence, status, tenant_id, *lines, **more):
    return StoredInvoice(sequence, status, tenant_id, charged=dict.fromkeys(lines, 5_00), **more)


def given_up(*stored, **more):
    """The households with only cancelled invoices, and those whose cancelled invoices charge a line."""
    charged, alone = of(*stored, **more).cancelled()
    assert {unit_id for unit_id, *_ in (*charged, *alone)} <= {"u1"}
    return {household for _, household in alone}, {household for _, household, line in charged if line == LINE}


def test_a_household_has_cancelled_invoices_alone_whether_they_charge_anything_or_not():
    assert given_up(one(0, "CANCELLED", "cy", LINE)) == ({("cy",)}, {("cy",)})
    assert given_up(one(0, "CANCELLED", "cy")) == ({("cy",)}, set())
    assert given_up(one(0, "SENT", "cy", LINE), one(1, "CANCELLED", "ann")) == ({("ann",)}, set())
    assert given_up(one(0, "SENT", "cy", LINE), one(1, "DRAFT", "ann")) == (set(), set())


@pytest.mark.parametrize("status", ["SENT", "DRAFT"])
def test_one_that_has_another_invoice_has_not(status):
    gone = one(1, "CANCELLED", "ann", LINE)
    assert given_up(gone, one(2, status, "ann", OTHER)) == (set(), {("ann",)})
    assert given_up(gone, one(2, status, "ann")) == (set(), {("ann",)})


def test_an_invoice_that_has_corrections_alone_is_of_other_months():
    assert given_up(one(1, "CANCELLED", "ann", corrected=CORRECTED)) == (set(), set())
    assert given_up(one(1, "CANCELLED", "ann", LINE, corrected=CORRECTED)) == ({("ann",)}, {("ann",)})
    further = one(2, "DRAFT", "ann", corrected=CORRECTED)
    assert given_up(one(1, "CANCELLED", "ann"), further) == ({("ann",)}, set())


def test_roommates_are_given_up_together():
    assert given_up(one(0, "CANCELLED", "ann"), tenants=(tenant("dee"), ANN)) == ({("ann", "dee")}, set())


@pytest.mark.parametrize("who", [None, "eve"])
def test_of_nobody_who_stayed_there_it_stands_for_whose_the_units_month_is(who):
    named = () if who is None else (who,)
    first = one(0, "CANCELLED", who, LINE)
    assert given_up(first) == ({named, ("cy",)}, {named, ("cy",)})
    assert given_up(first, one(1, "SENT", "cy", LINE)) == ({named, ("ann",)}, {named, ("ann",)}), "cy has another"
    assert given_up(first._replace(was_issued=True)) == ({named}, {named})
    assert given_up(first, tenants=()) == ({named, ()}, {named, ()})
    assert given_up(one(1, "CANCELLED", who, LINE)) == ({named}, {named})
    assert given_up(one(0, "SENT", who, LINE), one(1, "CANCELLED", "ann")) == ({("ann",)}, set())


def test_it_stands_for_who_has_an_e_mail_address_of_those_who_are_there_at_the_end():
    moved = tenant("ann", None, march(31)), tenant("cy", march(31))
    assert given_up(one(0, "CANCELLED", None), tenants=moved)[0] == {(), ("ann",)}
    assert given_up(one(0, "CANCELLED", None), tenants=moved, emails={"cy"})[0] == {(), ("cy",)}


def test_a_unit_that_takes_no_part_any_more_is_told_by_whom_its_invoices_name():
    invoices = OwnInvoices(month_of([], 310_00), {"u1": [one(0, "CANCELLED", "ann", LINE, was_issued=True)]}, ())
    assert invoices.cancelled() == ({("u1", ("ann",), LINE)}, {("u1", ("ann",))})


@pytest.mark.parametrize(
    ("stored", "is_nobodys"),
    [
        ([], False),
        ([one(0, "SENT", None, LINE)], True),
        ([one(0, "SENT", "cy", LINE)], False),
        ([one(0, "SENT", None, OTHER, was_issued=True)], True),
        ([one(0, "SENT", "eve", OTHER, was_issued=True)], False),
        ([one(0, "CANCELLED", None, OTHER)], False),
        ([one(0, "CANCELLED", None, LINE)], True),
        ([one(1, "SENT", None, LINE)], False),
    ],
)
def test_what_falls_on_a_unit_alone_is_nobodys_where_its_invoice_names_nobody_or_would(stored, is_nobodys):
    assert of(*stored, tenants=[CY]).is_nobodys("u1", LINE) is is_nobodys


def test_without_an_invoice_it_is_nobodys_where_no_stay_touches_the_month():
    assert OwnInvoices(month_of([flat("1")], 310_00), {}, ()).is_nobodys("u1", LINE)
    assert of(tenants=[]).is_nobodys("u1", LINE)
    assert not of(one(0, "DRAFT", "eve"), tenants=[CY]).is_nobodys("u1", LINE)
    assert of(one(0, "DRAFT", "eve"), tenants=[]).is_nobodys("u1", LINE)
