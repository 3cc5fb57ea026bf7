"""Tests of an account's first steps.

One click turns older bills into history, and a checklist guides the landlord.
"""

from datetime import date

import pytest

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.invoices import invoices
from prorata.actions.overview import onboarding
from prorata.errors import InvalidRequest, NotFound
from tests.landlord import Landlord


def done(landlord):
    return [one.step for one in landlord.see(onboarding.checklist) if one.is_done]


def furnished(landlord):
    maple = landlord.property_()
    landlord.units(maple, "1", "2")
    for month in (1, 2, 3):
        landlord.bill(maple, 90_00, on=date(2026, month, 5))
    return maple


def test_what_history_would_do_is_told_first_and_then_done(landlord):
    maple = furnished(landlord)
    landlord.bill(maple, 10_00, "GAS", date(2026, 1, 6))
    told = landlord.see(onboarding.preview_history, maple.id, "2026-03")
    assert told[2:7] == (3, 4, 0, (), 0)
    assert (
        told.message
        == "Billing starts with March 2026. 3 earlier bills are kept as history. 4 earlier drafts will be deleted."
    )
    assert landlord.totals(maple, "2026-02") == {"1": 45_00, "2": 45_00}, "nothing is written by asking"
    assert landlord.do(onboarding.make_history, maple.id, "2026-03")[2:] == told[2:]
    for month in ("2026-01", "2026-02"):
        assert landlord.invoices(maple, month) == {}
    assert landlord.totals(maple, "2026-03") == {"1": 45_00, "2": 45_00}
    assert len(landlord.stored_bills(maple)) == 4, "history is kept"


def test_a_spread_bill_counts_once_and_is_no_example_of_a_bill_for_one_month(landlord):
    maple = landlord.property_()
    landlord.units(maple, "1")
    quarter = {"service_start": date(2025, 12, 1), "service_end": date(2026, 2, 28), "spread": True}
    landlord.bill(maple, 90_00, on=date(2026, 2, 28), **quarter)
    assert "Your bill from" not in landlord.see(onboarding.which_month)
    told = landlord.see(onboarding.preview_history, maple.id, "2026-03")
    assert (told.bills, told.partly, told.drafts) == (1, 0, 3)
    landlord.bill(maple, 20_00, "GAS", date(2026, 1, 6))
    told = landlord.do(onboarding.make_history, maple.id, "2026-02")
    assert (told.bills, told.partly) == (1, 1), "only its first months are history"
    assert told.message.startswith(
        "Billing starts with February 2026. 1 earlier bill is kept as history. 1 spread bill is charged in part, but "
        "not for months before February 2026."
    )
    assert landlord.totals(maple, "2026-02") == {"1": 28_00}, "28 of 90 days"
    assert "spread over its months is charged for this month and later ones" in landlord.see(onboarding.which_month)
    again = landlord.see(onboarding.preview_history, maple.id, "2025-12")
    assert (again.bills, again.partly, again.billed_again) == (0, 0, 2)
    landlord.bill(maple, 10_00, "GAS", date(2026, 2, 5), service_end=date(2026, 1, 31), service_start=date(2026, 1, 1))
    assert "dated 2026-02-05, belongs to January 2026." in landlord.see(onboarding.which_month)


def test_what_was_sent_or_has_a_charge_of_ones_own_stays(landlord):
    maple = furnished(landlord)
    landlord.set_status(maple, "1", "SENT", "2026-01")
    landlord.do(invoices.add_custom_charge, landlord.invoices(maple)["2"].summary.id, "Key", 15_00)
    told = landlord.do(onboarding.make_history, maple.id, "2026-03")
    assert told[2:6] == (1, 1, 1, ("2026-01",))
    assert "1 invoice that was sent before, or has a custom charge, stays." in told.message
    assert "1 sent month stays as it is." in told.message
    assert landlord.totals(maple, "2026-01") == {"1": 45_00, "2": 45_00}
    assert landlord.totals(maple, "2026-02") == {"2": 15_00}


def test_history_can_be_billed_again_by_an_earlier_start(landlord):
    maple = furnished(landlord)
    landlord.do(onboarding.make_history, maple.id, "2026-03")
    told = landlord.do(onboarding.make_history, maple.id, "2026-02")
    assert (told.bills, told.drafts, told.billed_again) == (1, 0, 1)
    assert told.message.endswith("1 bill that was history will be billed.")
    assert landlord.totals(maple) == {"1": 45_00, "2": 45_00}


def test_the_checklist_follows_what_is_done(landlord):
    assert done(landlord) == []
    maple = landlord.property_()
    assert done(landlord) == ["property"]
    unit = landlord.unit(maple, "1")
    landlord.tenant(unit, "Ann")
    assert done(landlord) == ["property", "units", "tenants"]
    landlord.do(accounts.change_settings, Wishes(pay_text="Cash, at the office."))
    assert done(landlord) == ["property", "units", "tenants", "pay"]
    landlord.do(onboarding.confirm, maple.id, "rules")
    landlord.bill(maple, 90_00)
    assert done(landlord) == ["property", "units", "tenants", "pay", "rules", "bill"]
    landlord.do(onboarding.confirm, maple.id, "review")
    assert [one.step for one in landlord.see(onboarding.checklist) if not one.is_done] == ["send"]
    landlord.set_status(maple, "1", "SENT")
    assert len(done(landlord)) == len(onboarding.STEPS)


def test_a_rule_that_was_changed_was_looked_at(landlord):
    maple = landlord.property_()
    landlord.change_rule(landlord.rules(maple)["WATER"].id, split_method="SQFT")
    assert "rules" in done(landlord)


def test_months_steps_and_properties_that_are_none_are_refused(landlord, clock):
    maple = landlord.property_()
    with pytest.raises(InvalidRequest):
        landlord.do(onboarding.make_history, maple.id, "March")
    with pytest.raises(InvalidRequest):
        landlord.do(onboarding.confirm, maple.id, "send")
    stranger = Landlord(landlord.database, clock, name="stranger")
    for action, argument in (
        (onboarding.preview_history, "2026-03"),
        (onboarding.make_history, "2026-03"),
        (onboarding.confirm, "rules"),
    ):
        with pytest.raises(NotFound):
            stranger.do(action, maple.id, argument)
    assert done(stranger) == []
