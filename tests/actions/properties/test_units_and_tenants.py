"""Tests of removing and deactivating units, tenants and properties.

Deleting a property deletes everything that belongs to it.
"""

import json
from datetime import date

import pytest

from prorata.actions.payments import payments
from prorata.actions.payments.payments import Received
from prorata.actions.properties import properties, tenants, units
from prorata.errors import Conflict, InvalidRequest, NotFound
from tests.landlord import Landlord


@pytest.fixture
def maple(landlord: Landlord):
    return landlord.property_()


def test_a_unit_without_invoices_is_removed_with_its_tenants_and_weights(landlord, maple):
    one, two = landlord.units(maple, "1", "2")
    ann = landlord.tenant(one, "Ann")
    landlord.rule(maple, "WATER", "CUSTOM", weights='{"1": 3, "2": 1}')
    assert landlord.remove_unit(one) is False
    assert [row.id for row in landlord.stored_units(maple)] == [two.id]
    assert json.loads(landlord.rules(maple)["WATER"].weights) == {two.id: "1"}
    with pytest.raises(NotFound):
        landlord.see(units.find, one.id)
    with pytest.raises(NotFound):
        landlord.remove_tenant(ann)


def test_a_unit_with_invoices_is_deactivated_and_keeps_its_share_of_past_months(landlord, maple):
    one, _ = landlord.units(maple, "1", "2")
    landlord.bill(maple, 90_00)
    assert landlord.remove_unit(one) is True
    row, _, today = landlord.see(units.find, one.id)
    assert (row.active_to, units.is_active(row, today)) == ("2026-03-10", False)
    assert landlord.totals(maple) == {"1": 45_00, "2": 45_00}
    landlord.bill(maple, 10_00, on=landlord.clock().date().replace(month=4))
    assert landlord.totals(maple, "2026-04") == {"2": 10_00}
    landlord.change_unit(one, active_to=None)
    assert landlord.totals(maple, "2026-04") == {"1": 5_00, "2": 5_00}


def test_a_unit_that_is_deactivated_before_its_first_day_takes_part_no_more(landlord, maple):
    one = landlord.unit(maple, "1", active_from="2026-03-20")
    landlord.unit(maple, "2")
    landlord.bill(maple, 90_00, on=landlord.clock().date())
    assert landlord.totals(maple, "2026-03") == {"1": 25_12, "2": 64_88}, "12 of 43 unit-days"
    assert landlord.remove_unit(one) is True
    assert landlord.totals(maple, "2026-03") == {"2": 90_00}


def test_a_short_form_is_not_used_again_when_its_unit_is_gone(landlord, maple):
    first = landlord.unit(maple, "1")
    landlord.remove_unit(first)
    assert landlord.unit(maple, "1").code == "12"
    assert landlord.property_().code == "MAPLECOURT2"


def test_labels_are_taken_without_regard_to_case_also_by_deactivated_units(landlord, maple):
    garden = landlord.unit(maple, "Garden")
    with pytest.raises(Conflict):
        landlord.unit(maple, " garden ".strip().upper())
    landlord.bill(maple, 10_00)
    landlord.remove_unit(garden)
    with pytest.raises(Conflict, match="use it again on its page"):
        landlord.unit(maple, "garden")
    assert landlord.change_unit(garden, label="GARDEN").label == "GARDEN"


def test_a_time_that_ends_before_it_begins_is_refused(landlord, maple):
    with pytest.raises(InvalidRequest, match="last day"):
        landlord.unit(maple, "1", active_from="2026-02-01", active_to="2026-01-31")
    one = landlord.unit(maple, "1")
    with pytest.raises(InvalidRequest, match="last day"):
        landlord.tenant(one, "Ann", move_in="2026-02-01", move_out="2026-01-31")


def test_a_tenant_added_in_the_last_24_hours_is_removed_as_if_never_there(landlord, maple, clock):
    one = landlord.unit(maple, "1")
    ann = landlord.tenant(one, "Ann")
    landlord.bill(maple, 90_00)
    assert landlord.invoices(maple)["1"].summary.tenant_name == "Ann"
    clock.forward(hours=23, minutes=59)
    assert landlord.remove_tenant(ann) is False
    assert landlord.invoices(maple)["1"].summary.tenant_name is None


def test_the_stay_of_a_tenant_who_was_sent_an_invoice_ends_however_new_the_tenant_is(landlord, maple):
    one = landlord.unit(maple, "1")
    ann = landlord.tenant(one, "Ann")
    landlord.bill(maple, 90_00)
    landlord.set_status(maple, "1", "SENT")
    landlord.set_status(maple, "1", "DRAFT")
    assert landlord.remove_tenant(ann) is True
    assert landlord.invoices(maple)["1"].summary.tenant_name == "Ann"


def test_the_stay_of_an_older_tenant_ends_today_and_months_before_keep_the_person(landlord, maple, clock):
    one = landlord.unit(maple, "1")
    ann = landlord.tenant(one, "Ann")
    landlord.bill(maple, 90_00)
    clock.forward(hours=24)
    assert landlord.remove_tenant(ann) is True
    assert landlord.invoices(maple)["1"].summary.tenant_name == "Ann"
    assert landlord.see(tenants.of_unit, one.id) == []
    with pytest.raises(NotFound):
        landlord.remove_tenant(ann)
    landlord.bill(maple, 10_00, on=clock().date().replace(month=4))
    assert landlord.invoices(maple, "2026-04")["1"].summary.tenant_name is None


def test_a_tenant_who_left_mid_month_pays_for_the_days_there(landlord, maple):
    one, two = landlord.units(maple, "1", "2")
    landlord.tenant(one, "Ann", move_out="2026-02-14")
    landlord.tenant(two, "Bo")
    landlord.rule(maple, "WATER", "OCCUPANTS")
    landlord.bill(maple, 42_00)
    assert landlord.totals(maple) == {"1": 14_00, "2": 28_00}


def test_a_deleted_property_takes_everything_with_it_and_leaves_an_export(landlord, maple):
    landlord.tenant(landlord.unit(maple, "1"), "Ann")
    landlord.bill(maple, 90_00)
    landlord.set_status(maple, "1", "SENT")
    elm = landlord.property_("Elm")
    landlord.unit(elm, "1")
    landlord.bill(elm, 10_00)
    landlord.do(properties.remove, maple.id, landlord.archive)
    assert landlord.invoices(maple) == {}
    assert landlord.stored_bills(maple) == []
    assert landlord.totals(elm) == {"1": 10_00}
    assert [row.id for row in landlord.see(properties.page, limit=10, offset=0)[0]] == [elm.id]
    export = json.loads(landlord.archive.kept[f"{maple.id}.json"])
    assert [len(export[part]) for part in ("units", "tenants", "bills", "lines", "months", "invoices", "charges")] == [
        1
    ] * 7
    with pytest.raises(NotFound):
        landlord.do(properties.remove, maple.id, landlord.archive)


def test_the_currency_is_the_countrys_until_the_first_bill(landlord, maple):
    assert maple.currency == "USD"
    assert landlord.do(properties.change, maple.id, {"country": "DE"}).currency == "EUR"
    assert landlord.do(properties.change, maple.id, {"country": "JP"}).currency == "USD", "yen have no cents"
    landlord.bill(maple, 10_00)
    assert landlord.do(properties.change, maple.id, {"country": "DE"}).currency == "USD"
    with pytest.raises(Conflict):
        landlord.do(properties.change, maple.id, {"currency": "EUR"})


def test_the_currency_stays_where_the_bills_are_gone_and_an_invoice_is_left(landlord, maple):
    """A draft without lines goes with its bill, unless money was paid for it.

    The invoice that stays here was paid in dollars.
    """
    landlord.unit(maple, "1")
    landlord.remove_bill(landlord.bill(maple, 45_00))
    assert landlord.do(properties.change, maple.id, {"currency": "EUR"}).currency == "EUR"
    landlord.do(properties.change, maple.id, {"currency": "USD"})
    bill = landlord.bill(maple, 45_00)
    landlord.set_status(maple, "1", "SENT")
    landlord.do(payments.receive, landlord.invoices(maple)["1"].summary.id, Received(45_00, date(2026, 3, 5)))
    landlord.set_status(maple, "1", "DRAFT")
    landlord.remove_bill(bill)
    with pytest.raises(Conflict, match="already has invoices"):
        landlord.do(properties.change, maple.id, {"currency": "EUR"})
    assert landlord.do(properties.change, maple.id, {"country": "DE"}).currency == "USD"
    assert landlord.invoices(maple)["1"].summary.currency == "USD"
