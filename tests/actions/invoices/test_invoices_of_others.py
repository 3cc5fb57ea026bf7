"""An invoice sent to the wrong person stays theirs.

The household that really lived there gets one of its own.
"""

from datetime import date

import pytest

from prorata.actions.invoices import tenant_links
from prorata.actions.payments import payments
from prorata.actions.payments.payments import Received
from prorata.actions.properties import tenants
from prorata.domain.invoice_states import CANCELLED, DRAFT, SENT
from tests.landlord import Landlord


@pytest.fixture
def maple(landlord: Landlord):
    """A property where Ann got February's invoice for unit 1 by mistake.

    She had moved out in January, and Bo lived there.
    """
    maple = landlord.property_()
    one, two = landlord.units(maple, "1", "2")
    ann = landlord.tenant(one, "Ann", email="ann@example.org")
    landlord.tenant(two, "Cy", email="cy@example.org")
    landlord.bill(maple, 90_00)
    landlord.set_status(maple, "1", SENT)
    landlord.do(tenants.change, ann.id, {"move_out": "2026-01-31"})
    landlord.tenant(one, "Bo", email="bo@example.org", move_in="2026-02-01")
    return maple


def whose(landlord, maple):
    """The tenant name, status and total of each invoice for unit 1."""
    shown = landlord.invoices(maple)
    return {
        key: (one.summary.tenant_name, one.summary.status, one.summary.total)
        for key, one in shown.items()
        if key.startswith("1")
    }


def test_cancelled_it_is_the_owners_and_who_lived_there_has_a_draft(landlord, maple):
    landlord.set_status(maple, "1", CANCELLED)
    assert whose(landlord, maple) == {"1": ("Ann", "CANCELLED", 45_00), "1.1": ("Bo", "DRAFT", 45_00)}
    landlord.sound()
    landlord.set_status(maple, "1.1", SENT)
    assert whose(landlord, maple)["1.1"] == ("Bo", "SENT", 45_00)
    landlord.sound()


def test_taken_back_to_draft_it_stays_the_persons_and_asks_nothing(landlord, maple):
    sent = landlord.read(tenant_links.state_of, landlord.invoices(maple)["1"].summary.id)
    for statuses in ((DRAFT,), (CANCELLED, DRAFT)):
        for status in statuses:
            landlord.set_status(maple, "1", status)
        assert whose(landlord, maple) == {"1": ("Ann", "DRAFT", 0), "1.1": ("Bo", "DRAFT", 45_00)}
        assert landlord.read(tenant_links.state_of, landlord.invoices(maple)["1"].summary.id) == sent
        landlord.sound()


def test_one_that_money_was_paid_on_stays_the_payers(landlord, maple):
    landlord.do(payments.receive, landlord.invoices(maple)["1"].summary.id, Received(10_00, date(2026, 3, 5)))
    for status in (CANCELLED, DRAFT):
        landlord.set_status(maple, "1", status)
    assert whose(landlord, maple)["1"][0] == "Ann"
    landlord.sound()


def test_one_of_the_same_person_keeps_the_name_it_was_sent_with(landlord):
    maple = landlord.property_()
    ann = landlord.tenant(landlord.unit(maple, "1"), "Ann", email="ann@example.org")
    landlord.bill(maple, 90_00)
    landlord.set_status(maple, "1", SENT)
    landlord.do(tenants.change, ann.id, {"name": "Ann Lee"})
    for status in (CANCELLED, DRAFT):
        landlord.set_status(maple, "1", status)
    assert landlord.invoices(maple)["1"].summary.tenant_name == "Ann"
    landlord.sound()
