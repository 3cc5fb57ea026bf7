"""Tests of what each status does to the stored invoice.

They also cover what happens as time passes, custom charges, and lists of invoices.
"""

import json
from datetime import date
from zoneinfo import ZoneInfo

import pytest

from prorata.actions.accounts import accounts
from prorata.actions.invoices import invoices
from prorata.actions.payments import payments
from prorata.actions.payments.payments import Received
from prorata.actions.printing import printed_invoices
from prorata.actions.properties import tenants
from prorata.errors import Conflict, NotFound
from prorata.store.invoices import invoices as stored_invoices
from prorata.store.overview import activity
from tests.landlord import Landlord


@pytest.fixture
def maple(landlord: Landlord):
    """Two units with a tenant in the first, and $90.00 of water for February."""
    maple = landlord.property_()
    one, _ = landlord.units(maple, "1", "2")
    landlord.tenant(one, "Ann", email="ann@example.org")
    landlord.bill(maple, 90_00)
    return maple


def stored(landlord, of, label):
    return landlord.read(stored_invoices.find, landlord.invoices(of)[label].summary.id)


def the_tenant(landlord, of, name):
    rows = [one for flat in landlord.stored_units(of) for one in landlord.see(tenants.of_unit, flat.id)]
    return next(row for row in rows if row.name == name)


def mark_overdue(landlord):
    return landlord.run(lambda tx: invoices.mark_overdue(tx, accounts.the_account(tx, landlord.caller)))


# --- statuses ----------------------------------------------------------------------------------------------------------


def test_sending_dates_the_invoice_closes_the_month_and_keeps_what_it_prints(landlord, maple, clock):
    clock.forward(days=3)
    shown = landlord.set_status(maple, "1", "SENT").summary
    assert (shown.invoice_date, shown.due_date) == ("2026-03-13", "2026-03-27")
    assert landlord.month(maple).is_closed
    row = stored(landlord, maple, "1")
    assert row.issued
    assert json.loads(row.printed)["property"]["name"] == "Maple Court"


@pytest.mark.parametrize("status", ["SENT", "PAID", "OVERDUE", "CANCELLED"])
def test_leaving_draft_copies_everything_the_invoice_prints(landlord, maple, status):
    assert stored(landlord, maple, "1").printed is None
    landlord.set_status(maple, "1", status)
    assert json.loads(stored(landlord, maple, "1").printed)["unit"] == {"label": "1"}


def test_the_same_status_again_writes_nothing(landlord, maple, clock):
    sent = landlord.set_status(maple, "1", "SENT")
    clock.forward(days=1)
    assert landlord.set_status(maple, "1", "SENT") == sent


def test_paid_is_received_and_leaving_paid_takes_it_back(landlord, maple):
    paid = landlord.set_status(maple, "1", "PAID").summary
    assert (paid.paid_amount, paid.payment_status) == (45_00, "paid")
    assert paid.paid_at
    assert (landlord.month(maple).received, landlord.month(maple).billed) == (45_00, 90_00)
    sent = landlord.set_status(maple, "1", "SENT").summary
    assert (sent.paid_amount, sent.payment_status, sent.paid_at) == (0, "pending", None)
    assert landlord.month(maple).received == 0


def test_a_cancelled_invoice_counts_in_no_sum_and_closes_nothing(landlord, maple):
    landlord.set_status(maple, "1", "SENT")
    landlord.set_status(maple, "1", "CANCELLED")
    month = landlord.month(maple)
    assert (month.billed, month.draft, month.cancelled, month.is_closed) == (45_00, 1, 1, False)


def test_an_invoice_that_was_sent_keeps_its_person_and_reads_the_address_at_each_sending(landlord, maple):
    landlord.set_status(maple, "1", "SENT")
    ann = the_tenant(landlord, maple, "Ann")
    landlord.do(tenants.change, ann.id, {"name": "Ann Smith", "email": "smith@example.org"})
    landlord.set_status(maple, "1", "DRAFT")
    kept = landlord.invoices(maple)["1"].summary
    assert (kept.tenant_name, kept.tenant_email) == ("Ann", "ann@example.org")
    again = landlord.set_status(maple, "1", "SENT").summary
    assert (again.tenant_name, again.tenant_email) == ("Ann", "smith@example.org")
    landlord.remove_tenant(ann)
    assert landlord.invoices(maple)["1"].summary.tenant_name == "Ann"


def test_what_is_sent_after_moving_out_goes_to_the_new_addresses(landlord, maple):
    ann = the_tenant(landlord, maple, "Ann")
    oak = {"forwarding_email": "ann@oak.example", "forwarding_address": "9 Oak Street\nSpringfield"}
    landlord.do(tenants.change, ann.id, oak)
    assert landlord.invoices(maple)["1"].summary.tenant_email == "ann@oak.example"
    sent = landlord.set_status(maple, "1", "SENT").summary
    landlord.do(tenants.change, ann.id, {"forwarding_email": None, "forwarding_address": None})
    assert landlord.invoices(maple)["1"].summary.tenant_email == "ann@oak.example"
    assert landlord.see(printed_invoices.find, sent.id).copy.forwarding_address == "9 Oak Street\nSpringfield"
    landlord.set_status(maple, "1", "DRAFT")
    again = landlord.set_status(maple, "1", "SENT").summary
    assert again.tenant_email == "ann@example.org"
    assert not landlord.see(printed_invoices.find, sent.id).copy.forwarding_address


def test_a_reminder_is_no_sending_and_keeps_the_address(landlord, maple):
    landlord.set_status(maple, "1", "SENT")
    landlord.do(tenants.change, the_tenant(landlord, maple, "Ann").id, {"email": "smith@example.org"})
    landlord.set_status(maple, "1", "OVERDUE")
    assert landlord.set_status(maple, "1", "SENT").summary.tenant_email == "ann@example.org"


def test_an_invoice_that_was_ever_sent_stays_when_its_lines_go(landlord, maple):
    landlord.set_status(maple, "1", "SENT")
    landlord.set_status(maple, "1", "DRAFT")
    (bill,) = landlord.stored_bills(maple)
    landlord.remove_bill(bill)
    assert landlord.totals(maple) == {"1": 0}


@pytest.mark.parametrize("status", ["DRAFT", "SENT", "PAID", "OVERDUE"])
def test_a_cancelled_invoice_takes_any_status_when_nothing_is_left_to_bill(landlord, maple, status):
    landlord.set_status(maple, "1", "CANCELLED")
    (bill,) = landlord.stored_bills(maple)
    landlord.remove_bill(bill)
    shown = landlord.set_status(maple, "1", status).summary
    assert (shown.status, shown.total) == (status, 0)
    landlord.sound()
    landlord.set_status(maple, "1", "DRAFT")
    assert landlord.totals(maple) == {"1": 0}


def test_a_draft_in_a_closed_month_waits_for_its_new_tenant_until_it_is_sent(landlord, maple):
    landlord.set_status(maple, "2", "SENT")
    landlord.do(tenants.change, the_tenant(landlord, maple, "Ann").id, {"name": "Anna"})
    draft = landlord.invoices(maple)["1"].summary
    assert (draft.tenant_name, draft.pending) == ("Ann", True)
    landlord.sound()
    assert not landlord.set_status(maple, "1", "SENT").summary.pending
    landlord.sound()


def test_a_month_waits_no_longer_when_the_draft_it_waited_for_is_taken_away(landlord, maple):
    ann = the_tenant(landlord, maple, "Ann")
    draft = landlord.invoices(maple)["1"].summary
    (charge,) = [
        one for one in landlord.do(invoices.add_custom_charge, draft.id, "Key", 5_00).charges if not one.bill_id
    ]
    landlord.change_unit(landlord.stored_units(maple)[0], active_from="2026-03-01")
    landlord.set_status(maple, "2", "SENT")
    landlord.do(tenants.change, ann.id, {"name": "Anna"})
    landlord.do(invoices.remove_custom_charge, draft.id, charge.id)
    landlord.sound()


def test_a_cancelled_invoice_that_comes_back_into_a_closed_month_waits_for_its_new_tenant(landlord, maple):
    landlord.set_status(maple, "1", "CANCELLED")
    landlord.set_status(maple, "2", "SENT")
    landlord.do(tenants.change, the_tenant(landlord, maple, "Ann").id, {"name": "Anna"})
    assert not landlord.invoices(maple)["1"].summary.pending
    assert landlord.set_status(maple, "1", "DRAFT").summary.pending
    landlord.sound()
    landlord.set_status(maple, "2", "DRAFT")
    draft = landlord.invoices(maple)["1"].summary
    assert (draft.tenant_name, draft.pending) == ("Anna", False)


def test_money_that_was_received_otherwise_covers_or_no_longer_covers_a_draft(landlord, maple):
    draft = stored(landlord, maple, "1")
    landlord.do(payments.receive, draft.id, Received(45_00, landlord.clock().date()))
    landlord.bill(maple, 10_00, "GAS")
    assert landlord.invoices(maple)["1"].summary.payment_status == "pending"
    landlord.do(invoices.add_custom_charge, draft.id, "Rebate", -5_00)
    shown = landlord.invoices(maple)["1"].summary
    assert (shown.total, shown.paid_amount, shown.payment_status) == (45_00, 45_00, "paid")


# --- overdue by the clock ----------------------------------------------------------------------------------------------


def test_a_sent_invoice_becomes_overdue_the_day_after_it_was_due_where_the_account_is(database, clock):
    landlord = Landlord(database, clock, timezone="America/Los_Angeles")
    elm = landlord.property_("Elm")
    landlord.tenant(landlord.unit(elm, "1"), "Ann")
    landlord.bill(elm, 90_00)
    assert landlord.set_status(elm, "1", "SENT").summary.due_date == "2026-03-24"
    clock.moment = clock.moment.replace(day=25, hour=6)  # still the 24th in Los Angeles
    assert clock.moment.astimezone(ZoneInfo("America/Los_Angeles")).date() == date(2026, 3, 24)
    assert mark_overdue(landlord) == 0
    clock.forward(hours=2)
    assert mark_overdue(landlord) == 1
    assert mark_overdue(landlord) == 0
    assert landlord.statuses(elm) == {"1": "OVERDUE"}
    assert (landlord.month(elm).sent, landlord.month(elm).overdue) == (0, 1)
    (noted,) = landlord.read(activity.page, record=landlord.invoices(elm)["1"].summary.id, limit=1)
    assert (noted.verb, noted.actor, noted.property_id) == ("set invoice OVERDUE", "clock", elm.id)
    assert [json.loads(kept)["status"] for kept in (noted.before, noted.after)] == ["SENT", "OVERDUE"]
    landlord.sound()


def test_without_a_tenant_or_a_balance_nothing_becomes_overdue(landlord, maple, clock):
    landlord.set_status(maple, "2", "SENT")
    credit = landlord.property_("Credit")
    landlord.tenant(landlord.unit(credit, "1"), "Bo")
    landlord.bill(credit, -5_00)
    landlord.set_status(credit, "1", "SENT")
    clock.forward(days=60)
    assert mark_overdue(landlord) == 0


# --- custom charges ----------------------------------------------------------------------------------------------------


def test_a_custom_charge_adds_to_a_draft_and_survives_recalculation(landlord, maple):
    draft = landlord.invoices(maple)["1"].summary
    landlord.do(invoices.add_custom_charge, draft.id, "Lost key", 25_00)
    landlord.bill(maple, 10_00, "GAS")
    assert landlord.totals(maple) == {"1": 75_00, "2": 50_00}
    assert landlord.month(maple).billed == 125_00
    (key,) = [charge for charge in landlord.invoices(maple)["1"].charges if charge.bill_id is None]
    assert (key.description, key.amount) == ("Lost key", 25_00)
    landlord.do(invoices.remove_custom_charge, draft.id, key.id)
    assert landlord.totals(maple) == {"1": 50_00, "2": 50_00}
    with pytest.raises(NotFound):
        landlord.do(invoices.remove_custom_charge, draft.id, key.id)


@pytest.mark.parametrize("status", ["SENT", "PAID", "OVERDUE", "CANCELLED"])
def test_what_has_left_draft_takes_no_custom_charge(landlord, maple, status):
    draft = landlord.invoices(maple)["1"].summary
    (key,) = [
        charge
        for charge in landlord.do(invoices.add_custom_charge, draft.id, "Lost key", 25_00).charges
        if charge.bill_id is None
    ]
    landlord.set_status(maple, "1", status)
    with pytest.raises(Conflict):
        landlord.do(invoices.add_custom_charge, draft.id, "Lost key", 1)
    with pytest.raises(Conflict):
        landlord.do(invoices.remove_custom_charge, draft.id, key.id)


def test_a_custom_charge_holds_a_draft_until_it_is_taken_off(landlord, maple):
    draft = landlord.invoices(maple)["1"].summary
    landlord.do(invoices.add_custom_charge, draft.id, "Lost key", 25_00)
    (bill,) = landlord.stored_bills(maple)
    landlord.remove_bill(bill)
    assert landlord.totals(maple) == {"1": 25_00}
    (key,) = landlord.invoices(maple)["1"].charges
    assert landlord.do(invoices.remove_custom_charge, draft.id, key.id) is None
    assert landlord.invoices(maple) == {}
    assert landlord.month(maple) is None


# --- lists -------------------------------------------------------------------------------------------------------------


def test_the_list_stands_by_month_then_by_number_in_natural_order(landlord, maple):
    landlord.unit(maple, "10")
    landlord.bill(maple, 30_00, "GAS", date(2026, 3, 1))
    shown, total = landlord.see(invoices.page, {}, limit=100, offset=0, details=False)
    assert total == 6
    assert [(one.summary.month, one.summary.unit_label) for one in shown] == [
        *(("2026-03", label) for label in ("1", "2", "10")),
        *(("2026-02", label) for label in ("1", "2", "10")),
    ]
    assert all(one.charges is None for one in shown)
    pages = [landlord.see(invoices.page, {}, limit=4, offset=offset, details=False)[0] for offset in (0, 4, 8)]
    assert [one for page in pages for one in page] == shown


def test_the_total_of_every_filter_is_what_the_pages_hold(landlord, maple):
    landlord.set_status(maple, "1", "SENT")
    landlord.bill(landlord.property_("Empty"), 1_00)
    elm = landlord.property_("Elm")
    landlord.unit(elm, "1")
    landlord.bill(elm, 30_00, "GAS", date(2026, 3, 1))
    unit_id = landlord.stored_units(maple)[0].id
    for filters in (
        {}, {"property": maple.id}, {"month": "2026-02"}, {"status": "DRAFT"}, {"status": "SENT", "month": "2026-02"},
        {"property": maple.id, "month": "2026-02", "status": "DRAFT"}, {"unit": unit_id}, {"month": "1999-01"},
        {"unit": unit_id, "status": "DRAFT"}, {"property": "prop_unknown"}, {"property": elm.id, "status": "DRAFT"},
    ):  # fmt: skip
        shown, total = landlord.see(invoices.page, filters, limit=100, offset=0, details=True)
        assert len(shown) == total, filters


def test_a_page_far_from_the_first_goes_on_where_the_one_before_ended(landlord, clock):
    oak, elm = landlord.property_("Oak"), landlord.property_("Elm")
    landlord.units(oak, *map(str, range(70)))
    landlord.units(elm, *map(str, range(40)))
    for month in (1, 2, 3, 4, 5):
        for house in (oak, elm):
            landlord.bill(house, 300_00, "GAS", date(2026, month, 1))
    landlord.set_status(oak, "7", "CANCELLED", "2026-01")
    for filters in ({}, {"property": oak.id}, {"status": "DRAFT"}, {"property": oak.id, "status": "DRAFT"}):
        found = []
        for offset in range(0, 600, 50):
            shown, total = landlord.see(invoices.page, filters, limit=50, offset=offset, details=False)
            found += [(one.summary.month, one.summary.property_name, int(one.summary.unit_label)) for one in shown]
        assert len(found) == total > invoices.WALKED_TO
        assert found == sorted(found, key=lambda one: (-int(one[0][-2:]), *one[1:]))
        assert len(set(found)) == total
