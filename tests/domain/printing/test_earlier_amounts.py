"""Amounts are compared with earlier ones of the same utility.

A charge that a person added is compared with one of the same name.
"""

from prorata.domain.printing.earlier_amounts import Earlier, beside, earlier_amounts
from prorata.domain.printing.printed_invoices import from_json, to_json
from prorata.domain.printing.replaced_invoices import Charged
from tests.domain.printing.test_rendering import COPY

WATER, GAS = Charged("b1", 1, "WATER", 40_00, "…"), Charged("b2", 1, "GAS", 131_37, "…")
OTHER, KEY = Charged("b3", 1, None, 7_00, "…"), Charged(None, None, None, 5_00, "Key")
BEFORE = earlier_amounts([WATER, GAS, KEY], [GAS._replace(amount=116_03), OTHER])


def test_each_utility_and_each_name_is_compared_with_its_own():
    garage = KEY._replace(description="Garage")
    assert beside([GAS, WATER, OTHER, KEY, garage], BEFORE) == [
        (131_37, 116_03), (40_00, None), (None, 7_00), (5_00, None), (None, None),
    ]  # fmt: skip


def test_bills_of_one_utility_are_compared_as_one_and_not_where_the_invoice_has_several():
    before = earlier_amounts([WATER, WATER._replace(bill_id="b9", amount=2_00)], [])
    assert beside([WATER], before) == [(42_00, None)]
    assert beside([WATER, WATER._replace(bill_id="b9"), GAS], BEFORE) == [(None, None), (None, None), (131_37, 116_03)]


def test_a_correction_is_compared_with_nothing_and_is_part_of_nothing():
    late = WATER._replace(amount=-9_00, corrects_month="2026-01")
    assert earlier_amounts([late], []) == ()
    assert beside([WATER, late], BEFORE) == [(40_00, None), (None, None)]


def test_what_was_charged_before_is_kept_with_the_copy_and_copies_from_before_have_none():
    compared = COPY._replace(earlier=BEFORE)
    assert from_json(to_json(compared, "Ann"), "de-DE") == compared
    assert "earlier" not in to_json(COPY, "Ann")
    assert BEFORE[0] == Earlier("WATER", "", 40_00, None)
