"""An invoice that was sent to the wrong person: cancelled and taken back to draft it is for whom its unit's is."""

from datetime import date

import pytest

from prorata.actions.invoices import tenant_links
from prorata.actions.payments import payments
from prorata.actions.payments.payments import Received
from prorata.actions.properties import tenants
from prorata.domain.invoice_states import CANCELLED, DRAFT, PAID, SENT
from prorata.store.overview import activity
from tests.landlord import Landlord


@pytest.fixture
def maple(landlord: Landlord):
    """Ann got the invoice of February for unit 1, and had moved out in January: Bo lived there."""
    maple = landlord.property_()
    one, two = landlord.units(maple, "1", "2")
    ann = landlord.tenant(one, "Ann", email="ann@example.org")
    landlord.tenant(two, "Cy", email="cy@example.org")
    landlord.bill(maple, 90_00)
    landlord.set_status(maple, "1", SENT)
    landlord.do(tenants.change, ann.id, {"move_out": "2026-01-31"})
    landlord.tenant(one, "Bo", email="bo@example.org", move_in="2026-02-01")
    return maple


def invoice(landlord, maple):
    return landlord.invoices(maple)["1"].summary


def of(landlord, maple):
    row = invoice(landlord, maple)
    return row.tenant_name, row.tenant_email


def back_to_draft(landlord, maple, *statuses):
    for status in (*statuses, CANCELLED, DRAFT):
        landlord.set_status(maple, "1", status)


@pytest.mark.parametrize("is_closed", [False, True])
def test_it_is_for_whom_its_unit_is_by_now_and_the_links_before_end(landlord, maple, is_closed):
    """Also in a month that is closed by the invoice of another."""
    if is_closed:
        landlord.set_status(maple, "2", SENT)
    sent = landlord.read(tenant_links.state_of, invoice(landlord, maple).id)
    back_to_draft(landlord, maple)
    assert of(landlord, maple) == ("Bo", "bo@example.org")
    assert landlord.read(tenant_links.state_of, invoice(landlord, maple).id).generation == sent.generation + 1
    landlord.sound()
    landlord.set_status(maple, "1", SENT)
    assert of(landlord, maple) == ("Bo", "bo@example.org")
    assert landlord.read(tenant_links.state_of, invoice(landlord, maple).id).generation == sent.generation + 1
    verbs = [row.verb for row in landlord.read(activity.page, record=invoice(landlord, maple).id, limit=50)]
    assert verbs.count("renew tenant page") == 1
    landlord.sound()


def test_one_that_is_taken_back_without_being_cancelled_stays_the_persons(landlord, maple):
    landlord.set_status(maple, "1", DRAFT)
    assert of(landlord, maple) == ("Ann", "ann@example.org")
    landlord.set_status(maple, "1", CANCELLED)
    landlord.set_status(maple, "1", SENT)
    assert of(landlord, maple) == ("Ann", "ann@example.org")
    landlord.sound()


def test_one_that_money_was_paid_on_stays_the_payers(landlord, maple):
    landlord.do(payments.receive, invoice(landlord, maple).id, Received(10_00, date(2026, 3, 5)))
    back_to_draft(landlord, maple)
    assert of(landlord, maple) == ("Ann", "ann@example.org")
    landlord.sound()


def test_one_that_was_only_marked_as_paid_does_not(landlord, maple):
    back_to_draft(landlord, maple, PAID)
    assert of(landlord, maple) == ("Bo", "bo@example.org")
    landlord.sound()


def test_one_of_the_same_person_keeps_the_name_it_was_sent_with(landlord):
    maple = landlord.property_()
    ann = landlord.tenant(landlord.unit(maple, "1"), "Ann", email="ann@example.org")
    landlord.bill(maple, 90_00)
    landlord.set_status(maple, "1", SENT)
    landlord.do(tenants.change, ann.id, {"name": "Ann Lee"})
    back_to_draft(landlord, maple)
    assert invoice(landlord, maple).tenant_name == "Ann"
    landlord.sound()
