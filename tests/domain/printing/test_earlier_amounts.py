"""Amounts are compared with earlier ones of the same utility.

A charge that a person added is compared with one of the same name.
"""

from prorata.domain.printing.earlier_amounts import Earlier, Then, beside, earlier_amounts, only_before
from prorata.domain.printing.printed_invoices import from_json, to_json
from prorata.domain.printing.replaced_invoices import Charged
from tests.domain.printing.test_rendering import COPY, charges, written
from tests.domain.splitting.test_planned_charges import line

WATER, GAS = Charged("b1", 1, "WATER", 40_00, "…"), Charged("b2", 1, "GAS", 131_37, "…")
OTHER, KEY = Charged("b3", 1, None, 7_00, "…"), Charged(None, None, None, 5_00, "Key")
BEFORE = earlier_amounts([WATER, GAS, KEY], [GAS._replace(amount=116_03), OTHER])


def amounts(charges, before):
    """Return the earlier amounts beside charges, without what was billed."""
    return [(month.amount, year.amount) for month, year in beside(charges, before)]


def test_each_utility_and_each_name_is_compared_with_its_own():
    garage = KEY._replace(description="Garage")
    assert amounts([GAS, WATER, OTHER, KEY, garage], BEFORE) == [
        (131_37, 116_03), (40_00, None), (None, 7_00), (5_00, None), (None, None),
    ]  # fmt: skip


def test_bills_of_one_utility_are_compared_as_one_at_the_last_where_the_invoice_has_several():
    more = WATER._replace(bill_id="b9", amount=2_00)
    before = earlier_amounts([WATER, more], [])
    assert amounts([WATER], before) == [(42_00, None)]
    assert amounts([WATER, more, GAS], BEFORE) == [(None, None), (40_00, None), (131_37, 116_03)]
    assert [month.together for month, _ in beside([WATER, more, GAS], BEFORE)] == [None, 42_00, None]


def test_the_sum_of_several_charges_is_compared_in_a_sentence_after_the_last_and_not_in_a_column():
    first, second = charges(line(320_10)), charges(line(80_00, number=2))
    before = Then(100_00, together=113_37), Then(90_00, together=113_37)
    says = written(charges=(*first, second[0]._replace(earlier=before)))
    assert says.earlier == ()
    said = [charge.lines[-1].text for charge in says.charges]
    assert said[0] == "$320.10 × 850 ÷ 3,000 = $90.70"
    assert said[1] == "Together, the charges for water come to $113.37 (2026-02: $100.00, 2025-03: $90.00)."


def test_several_charges_that_may_be_for_anything_are_not_compared():
    before = earlier_amounts([OTHER, KEY], [])
    assert amounts([OTHER, OTHER._replace(bill_id="b9"), KEY, KEY], before) == [(None, None)] * 4


def test_what_only_the_month_before_had_is_told_even_if_it_is_corrected_now():
    late = GAS._replace(amount=-9_00, corrects_month="2026-01")
    assert only_before([WATER, OTHER, late], BEFORE) == (BEFORE[1], BEFORE[2])
    lift, heating = (OTHER._replace(bill_id=one) for one in ("b4", "b5"))
    names = {("b4", None): "Lift", ("b5", None): "Heating"}
    both = earlier_amounts([lift, heating], [], names)
    assert only_before([lift], both, names) == (both[1],)
    assert only_before([OTHER], both) == (), "a charge without a name may be either"


def test_a_correction_is_compared_with_nothing_and_is_part_of_nothing():
    late = WATER._replace(amount=-9_00, corrects_month="2026-01")
    assert earlier_amounts([late], []) == ()
    assert amounts([WATER, late], BEFORE) == [(40_00, None), (None, None)]


def test_the_lines_of_bills_are_counted_once_beside_what_was_charged_for_them():
    lines = {("b1", 1): 160_00, ("b9", 2): 8_00, ("b2", 1): 500_00}
    more, corrected = WATER._replace(bill_id="b9", line=2, amount=2_00), WATER._replace(amount=-1_00)
    before = earlier_amounts([WATER, more, corrected, KEY], [OTHER], billed=lines)
    assert not any(one.is_corrected for one in before)
    of_then = earlier_amounts([WATER, corrected._replace(description=""), KEY], [OTHER._replace(description="")])
    assert [one.is_corrected for one in of_then] == [True, False, False]
    assert beside([WATER, KEY, OTHER], before) == [
        (Then(41_00, 168_00), Then()), (Then(5_00), Then()), (Then(), Then(7_00)),
    ]  # fmt: skip


def test_the_unit_s_part_is_known_where_one_bill_was_divided_in_one_step():
    bill = "Gas Co., bill of 2026-02-14, $40.00"
    area = GAS._replace(description=f"{bill}: 850 of 1,470 sq ft, 14 of 28 days")
    blend = GAS._replace(description=f"{bill}: 50% by 850 of 1,470 sq ft; 50% by 1 of 2 units")
    percent = GAS._replace(description=f"{bill}: 25% of this amount")
    found = [beside([GAS], earlier_amounts([one], [area]))[0] for one in (area, blend, percent)]
    assert [month.part for month, _ in found] == ["850:1470:SQFT", None, "25:100:PERCENTAGE"]
    assert [year.part for _, year in found] == ["850:1470:SQFT"] * 3
    assert earlier_amounts([area, area._replace(bill_id="b9")], [])[0].part_month_before is None
    half = GAS._replace(description=f"{bill}: 38.5 of 1,630.5 sq ft")
    assert earlier_amounts([half], [])[0].part_month_before == "77/2:3261/2:SQFT"


def test_what_was_charged_before_is_kept_with_the_copy_and_copies_from_before_have_none():
    compared = COPY._replace(earlier=earlier_amounts([WATER], [GAS], billed={("b1", 1): 160_00}))
    kept = to_json(compared, "Ann")
    assert from_json(kept, "de-DE") == compared
    former = kept.replace("16000, null, null, null, false]", "]").replace(", null, null, null, null, false]", "]")
    earlier = from_json(former.replace(", ]", "]"), "de-DE").earlier
    assert [one[4:] for one in earlier] == [(None, None, None, None, False)] * 2
    assert "earlier" not in to_json(COPY, "Ann")
    assert BEFORE[0] == Earlier("WATER", "", 40_00, None)
