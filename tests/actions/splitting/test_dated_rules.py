"""Tests of the versions of a share rule.

They check from which month each version applies, and how changing one affects months.
"""

from datetime import date

import pytest

from prorata.actions.accounts.accounts import Wishes
from prorata.actions.properties import properties
from prorata.actions.recalculation import correction_decisions, effects
from prorata.actions.splitting import share_rules, split_methods
from prorata.actions.splitting.split_methods import NewBlend
from prorata.errors import Conflict, InvalidRequest, NotFound
from prorata.store.audit import audit
from tests.landlord import Landlord


@pytest.fixture
def maple(landlord: Landlord):
    """Units of 600 and 400 sq ft with a tenant each.

    Water of $100.00 in each of January, February and March is split by area.
    """
    maple = landlord.property_()
    for label, sqft in (("1", 600), ("2", 400)):
        landlord.tenant(landlord.unit(maple, label, sqft=sqft), f"Tenant {label}")
    landlord.rule(maple, "WATER", "SQFT")
    for month in (1, 2, 3):
        landlord.bill(maple, 100_00, on=date(2026, month, 20))
    return maple


def water(landlord, maple):
    return landlord.rules(maple)["WATER"].id


def by_month(landlord, maple):
    return [landlord.totals(maple, f"2026-0{month}")["1"] // 100 for month in (1, 2, 3)]


def versions(landlord, maple):
    shown = landlord.see(share_rules.find, water(landlord, maple))
    return [(one.effective_from, one.terms.split_method, one.terms.is_active) for one in shown.versions]


def test_a_change_from_a_month_on_leaves_the_months_before(landlord, maple):
    landlord.do(share_rules.change, water(landlord, maple), {"split_method": "EQUAL"}, since="2026-02")
    assert by_month(landlord, maple) == [60, 50, 50]
    assert versions(landlord, maple) == [(None, "SQFT", True), ("2026-02", "EQUAL", True)]
    landlord.do(share_rules.change, water(landlord, maple), {"owner_percent": 10}, since="2026-03")
    assert by_month(landlord, maple) == [60, 50, 45], "what is not named is as in the version in force then"
    landlord.do(share_rules.change, water(landlord, maple), {"split_method": "SQFT"}, since="2026-02")
    assert by_month(landlord, maple) == [60, 60, 45], "the same month replaces, and later versions stay"


def test_january_reopened_for_a_late_bill_goes_by_the_rule_of_january(landlord, maple):
    landlord.set_status(maple, "1", "SENT", "2026-01")
    landlord.set_status(maple, "2", "SENT", "2026-01")
    landlord.do(share_rules.change, water(landlord, maple), {"split_method": "EQUAL"}, since="2026-06")
    landlord.bill(maple, 20_00, on=date(2026, 1, 25), issuer="Late Water")
    for label in ("1", "2"):
        landlord.set_status(maple, label, "DRAFT", "2026-01")
    assert landlord.totals(maple, "2026-01") == {"1": 72_00, "2": 48_00}


def test_a_dated_change_leaves_paid_months_as_they_are_and_an_undated_one_says_what_would_change(landlord, maple):
    landlord.set_status(maple, "1", "PAID", "2026-01")
    landlord.set_status(maple, "2", "PAID", "2026-01")
    landlord.do(share_rules.change, water(landlord, maple), {"split_method": "EQUAL"}, since="2026-02")
    assert not landlord.month(maple, "2026-01").pending
    landlord.do(share_rules.change, water(landlord, maple), {"split_method": "BEDROOMS"})
    assert not landlord.month(maple, "2026-01").pending, "the newest version is from February on"
    landlord.do(share_rules.change, water(landlord, maple), {"split_method": "EQUAL"}, since="2026-01")
    assert landlord.month(maple, "2026-01").pending


def test_a_new_rule_goes_on_with_the_history_and_a_deleted_one_ends_where_its_newest_version_began(landlord, maple):
    old = water(landlord, maple)
    landlord.do(share_rules.create, maple.id, "WATER", landlord.terms("EQUAL"), since="2026-03")
    assert water(landlord, maple) != old
    assert versions(landlord, maple) == [(None, "SQFT", True), ("2026-03", "EQUAL", True)]
    landlord.do(share_rules.remove, water(landlord, maple))
    assert "WATER" not in landlord.rules(maple)
    assert by_month(landlord, maple) == [60, 60, 0]
    landlord.do(share_rules.create, maple.id, "WATER", landlord.terms("EQUAL"), since="2026-02")
    assert by_month(landlord, maple) == [60, 50, 0], "a later version stays, also that of a deleted rule"
    landlord.do(share_rules.create, maple.id, "WATER", landlord.terms("SQFT"))
    assert by_month(landlord, maple) == [60, 50, 60]


def test_a_rule_that_is_dated_and_follows_a_deleted_one_divides_nothing_before(landlord, maple):
    landlord.do(share_rules.remove, water(landlord, maple))
    landlord.do(share_rules.create, maple.id, "WATER", landlord.terms("EQUAL"), since="2026-02")
    assert by_month(landlord, maple) == [0, 50, 50]
    assert versions(landlord, maple) == [(None, "SQFT", False), ("2026-02", "EQUAL", True)]


def test_the_version_of_a_month_is_shown(landlord, maple):
    landlord.do(share_rules.change, water(landlord, maple), {"split_method": "EQUAL"}, since="2026-02")
    shown = landlord.see(share_rules.find, water(landlord, maple), month="2026-01")
    assert (shown.row.split_method, shown.row.effective_from) == ("SQFT", None)
    rules = landlord.see(share_rules.of_property, maple.id, month="2026-07")
    listed = next(one for one in rules if one.row.utility_type == "WATER")
    assert (listed.row.split_method, listed.row.effective_from) == ("EQUAL", "2026-02")


def test_what_changes_nothing_writes_nothing(landlord, maple):
    landlord.do(share_rules.change, water(landlord, maple), {"split_method": "EQUAL"}, since="2026-02")
    before = landlord.see(share_rules.find, water(landlord, maple))
    landlord.clock.forward(days=1)
    again = landlord.do(share_rules.change, water(landlord, maple), {"split_method": "EQUAL"}, since="2026-02")
    assert again == before


def test_terms_without_a_month_apply_after_the_last_closed_month_though_a_later_version_has_them(landlord, maple):
    landlord.do(share_rules.change, water(landlord, maple), {"split_method": "EQUAL"}, since="2026-06")
    for label in ("1", "2"):
        landlord.set_status(maple, label, "SENT", "2026-01")
    landlord.do(correction_decisions.change_settings, Wishes(corrections="automatic"))
    landlord.do(share_rules.set_terms, maple.id, "WATER", landlord.terms("EQUAL"))
    assert versions(landlord, maple) == [
        (None, "SQFT", True), ("2026-02", "EQUAL", True), ("2026-06", "EQUAL", True)
    ]  # fmt: skip
    assert by_month(landlord, maple) == [60, 50, 50]


def test_terms_without_a_month_are_set_though_billing_starts_after_the_last_closed_month(landlord, maple):
    for label in ("1", "2"):
        landlord.set_status(maple, label, "SENT", "2026-01")
    landlord.do(correction_decisions.change_settings, Wishes(corrections="automatic"))
    landlord.do(properties.change, maple.id, {"billing_starts_month": "2026-03"})
    landlord.do(share_rules.set_terms, maple.id, "WATER", landlord.terms("EQUAL"))
    assert versions(landlord, maple)[-1] == ("2026-02", "EQUAL", True)


def test_a_month_before_the_first_to_bill_is_refused(landlord):
    oak = landlord.property_("Oak", billing_starts_month="2026-02")
    before = landlord.rules(oak)
    with pytest.raises(InvalidRequest, match="before 2026-02"):
        landlord.do(share_rules.create, oak.id, "WATER", landlord.terms("SQFT"), since="2026-01")
    with pytest.raises(InvalidRequest, match="before 2026-02"):
        landlord.do(share_rules.change, before["WATER"].id, {"split_method": "SQFT"}, since="2026-01")
    assert landlord.rules(oak) == before


def test_an_earlier_version_keeps_the_parts_of_its_blend_whatever_becomes_of_that(landlord, maple):
    blend = landlord.blend("Half", SQFT=50, EQUAL=50)
    landlord.change_rule(water(landlord, maple), split_method="CUSTOM", split_method_id=blend)
    landlord.do(share_rules.change, water(landlord, maple), {"split_method": "SQFT"}, since="2026-02")
    assert by_month(landlord, maple) == [55, 60, 60]
    landlord.do(split_methods.replace, blend, NewBlend("Half", [("EQUAL", 100)]))
    with pytest.raises(Conflict, match="Maple Court divides by it"):
        landlord.do(split_methods.remove, blend)
    landlord.do(share_rules.change, water(landlord, maple), {"owner_percent": 20}, since="2026-01")
    assert by_month(landlord, maple) == [44, 60, 60]


def test_a_unit_that_goes_for_good_leaves_earlier_versions_too(landlord, maple):
    three = landlord.unit(maple, "3")
    landlord.change_rule(water(landlord, maple), split_method="CUSTOM", custom_weights_json='{"1": 1, "3": 3}')
    landlord.do(share_rules.change, water(landlord, maple), {"split_method": "SQFT"}, since="2026-06")
    for bill in landlord.stored_bills(maple):
        landlord.remove_bill(bill)
    landlord.remove_unit(three)
    shown = landlord.see(share_rules.find, water(landlord, maple))
    assert [one.terms.custom_weights_json for one in shown.versions] == ['{"1": 1}', '{"1": 1}']


def test_the_log_says_from_when_a_version_is_in_force(landlord, maple):
    landlord.do(share_rules.change, water(landlord, maple), {"split_method": "EQUAL"}, since="2026-02")
    (entry, *_) = landlord.read(audit.said_of, water(landlord, maple), "effective_from")
    assert entry == "2026-02"


def test_a_rule_that_is_gone_is_not_found(landlord, maple):
    gone = water(landlord, maple)
    landlord.do(share_rules.remove, gone)
    with pytest.raises(NotFound):
        landlord.do(share_rules.change, gone, {"split_method": "EQUAL"}, since="2026-02")


def test_a_change_is_computed_for_the_open_and_the_last_twelve_closed_months(landlord):
    oak = landlord.property_("Oak")
    landlord.tenant(landlord.unit(oak, "1"), "Ann")
    months = [date(2025, month, 20) for month in range(1, 13)] + [date(2026, 1, 20), date(2026, 2, 20)]
    for on in months:
        landlord.bill(oak, 10_00, on=on)
    for on in months[:2] + months[3:]:
        landlord.set_status(oak, "1", "SENT", f"{on:%Y-%m}")
    found = landlord.database.read(lambda tx: effects.months_reckoned(tx, oak))
    assert [row.month for row in found] == [f"{on:%Y-%m}" for on in months[1:]]
