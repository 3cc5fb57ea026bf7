"""Tests of months that were closed before Prorata distinguished households.

The snapshot of such a month has a number of people for each unit.
"""

import json
from fractions import Fraction

import pytest

from prorata.actions.bills import corrections as bill_corrections, splits as bill_splits
from prorata.actions.properties import tenants
from prorata.actions.recalculation import effects
from prorata.domain.splitting.rule_versions import ALWAYS
from prorata.domain.splitting.share_rules import Rule
from prorata.errors import Conflict
from prorata.store.properties import units
from prorata.store.recalculation import billing_months
from tests.landlord import Landlord


@pytest.fixture
def maple(landlord: Landlord):
    """Two units with a tenant each, and $100.00 of water that is split equally.

    The month is closed with a snapshot of the former kind.
    """
    maple = landlord.property_()
    one, two = landlord.units(maple, "1", "2", sqft=500)
    landlord.tenant(one, "Ann")
    landlord.tenant(two, "Bo")
    landlord.bill(maple, 100_00)
    landlord.set_status(maple, "2", "SENT")
    kept = json.loads(landlord.month(maple).snapshot)
    kept["participants"] = [[*unit[:4], 28, 28] for unit in kept.pop("units")]
    kept["lines"] = [line[:8] for line in kept["lines"]]
    former = landlord.month(maple)._replace(snapshot=json.dumps(kept), settles=False)
    landlord.run(lambda tx: billing_months.save_many(tx, [former]))
    return maple


def test_such_a_month_waits_for_what_it_waited_for_before_and_for_no_household(landlord, maple):
    one, two = landlord.stored_units(maple)
    landlord.change_unit(two, monthly_rent=900_00)
    landlord.unit(maple, "3", active_from="2026-03-01")
    assert not landlord.month(maple).pending
    ann = next(row for row in landlord.read(units.tenants_of_properties, [maple.id]) if row.name == "Ann")
    landlord.do(tenants.change, ann.id, {"move_out": "2026-02-14"})
    assert not landlord.month(maple).pending, "equal parts are the unit's, whoever was there"
    landlord.change_unit(one, active_to="2026-01-31")
    assert landlord.month(maple).pending


def test_such_a_month_waits_for_no_unit_without_a_first_day_that_is_entered_later(landlord, maple, clock):
    clock.forward(hours=1)
    landlord.unit(maple, "3")
    assert not landlord.month(maple).pending
    landlord.unit(maple, "4", active_from="2026-02-01")
    assert landlord.month(maple).pending


def test_a_draft_of_such_a_month_waits_for_a_roommate_who_is_entered_later(landlord, maple, clock):
    clock.forward(hours=1)
    one, _two = landlord.stored_units(maple)
    landlord.tenant(one, "Cy", email="cy@example.org")
    assert landlord.month(maple).pending, "of all who lived there, it would go to who has an address"


def test_a_draft_of_such_a_month_that_was_sent_before_waits_for_no_other_name(landlord, maple):
    ann = next(row for row in landlord.read(units.tenants_of_properties, [maple.id]) if row.name == "Ann")
    landlord.set_status(maple, "1", "SENT")
    landlord.set_status(maple, "1", "DRAFT")
    landlord.do(tenants.change, ann.id, {"name": "Ann Lee"})
    assert not landlord.month(maple).pending


def by_occupants(landlord, maple):
    """The effect of splitting by occupants: cents moved, and the owner's before and after."""

    def changed(facts):
        rule = Rule("WATER", "OCCUPANTS", {}, Fraction(), Fraction())
        return facts._replace(rules={**facts.rules, "WATER": {ALWAYS: rule}})

    months = landlord.database.read(lambda tx: effects.months_reckoned(tx, maple))
    (found,) = landlord.database.read(lambda tx: effects.of_change(tx, maple, months, changed, "WATER"))
    assert found.is_closed
    return found.effect.moved, found.effect.owner_before, found.effect.owner_after


def test_another_rule_changes_such_a_month_by_unit_and_a_newer_one_by_household(landlord, maple):
    ann = next(row for row in landlord.read(units.tenants_of_properties, [maple.id]) if row.name == "Ann")
    landlord.do(tenants.change, ann.id, {"move_out": "2026-02-14"})
    # equally 50.00 each, and by 14 of 42 person-days 33.33 and 66.67
    assert by_occupants(landlord, maple) == (16_67, 0, 0)
    for status in ("DRAFT", "SENT"):
        landlord.set_status(maple, "2", status)
    # equally Ann and the owner bear 25.00 each
    assert by_occupants(landlord, maple) == (25_00, 25_00, 0)


def test_a_bill_of_such_a_month_is_corrected_once_its_invoices_are_drafts_again(landlord, maple):
    (water,) = landlord.stored_bills(maple)
    (line,) = landlord.see(bill_splits.of_bill, water.id).lines
    assert [(one.share.tenant_ids, one.charged, one.invoice.number) for one in line.shares] == [
        (None, 50_00, "MAPLECOURT-1-2026-02"), (None, 50_00, "MAPLECOURT-2-2026-02"),
    ]  # fmt: skip
    with pytest.raises(Conflict, match="February 2026, where invoices were sent before Prorata kept corrections"):
        landlord.do(bill_corrections.correct, water.id, 80_00)
    landlord.set_status(maple, "2", "DRAFT")
    landlord.do(bill_corrections.correct, water.id, 80_00)
    assert landlord.totals(maple) == {"1": 40_00, "2": 40_00}
    landlord.sound()


def test_such_a_month_that_is_opened_is_computed_by_days_and_households(landlord, maple):
    ann = next(row for row in landlord.read(units.tenants_of_properties, [maple.id]) if row.name == "Ann")
    landlord.do(tenants.change, ann.id, {"move_out": "2026-02-14"})
    landlord.set_status(maple, "2", "DRAFT")
    assert landlord.totals(maple) == {"1": 25_00, "2": 50_00}
    assert landlord.month(maple).owner_amount == 25_00
