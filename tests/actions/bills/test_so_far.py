"""A bill's effect is shown while it is typed.

The effect is the sum of its amounts, and the month in which it would be billed.
"""

import pytest

from prorata.actions.accounts import accounts
from prorata.actions.bills import entries as bill_entries, so_far as bills_so_far
from prorata.actions.properties import properties
from prorata.domain.bills.forms import BillForm, FormLine
from prorata.store.properties.properties import PropertyRow
from tests.landlord import Landlord


@pytest.fixture
def maple(landlord: Landlord) -> PropertyRow:
    maple = landlord.property_()
    landlord.units(maple, "1", "2")
    return maple


def typed(of: PropertyRow, on: str = "2026-02-20", **more: object) -> BillForm:
    """A form with only a date and a total, without other needed facts."""
    return BillForm(of.id, "", "120", on, (), **more)  # type: ignore[arg-type]


def would_be(landlord: Landlord, form: BillForm, bill_id: str | None = None) -> tuple[str, str, str] | None:
    said = landlord.see(bills_so_far.so_far, form, bill_id).would_be
    return said and (said.month, said.last, said.becomes)


SERVICE = {"service_start": "2025-12-10", "service_end": "2026-01-25"}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, ("2026-02", "2026-02", "date")),
        ({"on": "not yet"}, None),
        (SERVICE, ("2026-01", "2026-01", "service")),
        ({"service_start": "2025-11-16", "service_end": "2025-12-15"}, ("2025-12", "2025-12", "tie")),
        (SERVICE | {"spread": True}, ("2025-12", "2026-01", "spread")),
        (SERVICE | {"billing_month": "2026-03"}, ("2026-03", "2026-03", "chosen")),
        ({"service_start": "2025-12-10", "service_end": "2025-12-01"}, ("2026-02", "2026-02", "date")),
        ({"service_start": "2025-12-10"}, ("2026-02", "2026-02", "date")),
    ],
)
def test_the_month_of_a_bill_is_named_before_it_is_whole(landlord, maple, more, said):
    assert would_be(landlord, typed(maple, **more)) == said


@pytest.mark.parametrize(
    ("of_account", "of_property", "said"),
    [
        ("SERVICE_END", None, ("2026-01", "end")),
        ("BILL_DATE", None, ("2026-02", "date")),
        ("BILL_DATE", "MOST_DAYS", ("2025-12", "service")),
        ("MOST_DAYS", "SERVICE_END", ("2026-01", "end")),
    ],
)
def test_the_month_follows_the_propertys_rule_or_the_accounts_and_a_stored_bill_keeps_its_month(
    landlord, maple, of_account, of_property, said
):
    service = {"service_start": "2025-12-10", "service_end": "2026-01-09"}
    form = BillForm(maple.id, "Aqua", "120", "2026-02-20", (FormLine("WATER", "120"),), **service)
    stored = landlord.do(bill_entries.enter_unseen, form)
    landlord.do(accounts.change_settings, accounts.Wishes(billing_month_rule=of_account))
    landlord.do(properties.change, maple.id, {"billing_month_rule": of_property})
    assert would_be(landlord, form) == (said[0], *said)
    new = landlord.do(bill_entries.enter_unseen, form._replace(issuer_name="Rain"))
    assert new.billing_month == said[0]
    noted = landlord.do(bill_entries.change, stored.id, form._replace(notes="It is paid.", bill_date="2026-02-21"))
    assert noted.billing_month == ("2026-02" if said[1] == "date" else "2025-12")
    moved = landlord.do(bill_entries.change, stored.id, form._replace(service_start="2025-12-11"))
    assert moved.billing_month == said[0]


@pytest.mark.parametrize(
    ("starts", "before"),
    [(None, (0, None)), ("2026-01", (55_70, "2025-12")), ("2026-02", (120_00 - 1_00, "2026-01"))],
)
def test_the_part_of_a_spread_bill_from_before_billing_starts_is_named(landlord, maple, starts, before):
    landlord.do(properties.change, maple.id, {"billing_starts_month": starts})
    lines = (FormLine("WATER", "119"), FormLine("LATE_FEE", "1"))
    form = BillForm(maple.id, "Aqua", "120", "2026-02-20", lines, **SERVICE, spread=True)
    stored = landlord.do(bill_entries.enter_unseen, form)
    for bill_id in (None, stored.id):
        said = landlord.see(bills_so_far.so_far, form, bill_id).would_be
        assert (said.before, said.before_until) == before
    typing = landlord.see(bills_so_far.so_far, form._replace(issuer_name="")).would_be
    assert typing.before == 0, "until the form is complete"


def test_the_month_that_is_named_is_the_one_it_is_billed_in(landlord, maple):
    lines = (FormLine("WATER"),)
    for on, more in (("2026-01-20", {}), ("2026-02-20", SERVICE), ("2026-03-20", {"billing_month": "2026-02"})):
        form = BillForm(maple.id, f"Aqua {on}", "120", on, lines, **more)
        named = would_be(landlord, form)
        added = landlord.do(bill_entries.enter, form).bill
        assert named[:2] == (added.billing_month, added.last_month)
        assert would_be(landlord, landlord.see(bill_entries.form_of, added.id), added.id)[0] == added.billing_month


@pytest.mark.parametrize(
    ("late_bills", "said"),
    [("ask", ("2026-02", "2026-02", "waits")), ("next open month", ("2026-03", "2026-03", "moved"))],
)
def test_a_bill_of_a_month_that_was_sent_waits_or_goes_on_as_the_account_has_it(landlord, maple, late_bills, said):
    landlord.bill(maple, 90_00)
    for label in ("1", "2"):
        landlord.set_status(maple, label, "SENT")
    landlord.do(accounts.change_settings, accounts.Wishes(late_bills=late_bills))
    assert would_be(landlord, typed(maple)) == said


def test_amounts_are_added_up_and_one_that_cannot_be_read_is_counted(landlord, maple):
    lines = (FormLine("WATER", "80.50"), FormLine("SEWER", "4O"), FormLine("LATE_FEE", "-3"), FormLine("GAS"))
    read = landlord.see(bills_so_far.so_far, typed(maple)._replace(lines=lines)).read
    assert (read.total, read.amounts, read.unread) == (120_00, 77_50, 1)
    none = landlord.see(bills_so_far.so_far, typed(maple)._replace(total="")).read
    assert (none.total, none.amounts, none.unread) == (None, None, 0)
