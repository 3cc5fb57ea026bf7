"""Tests of the overview page.

It shows the figures of one month over all properties, what needs attention, and the costs of utilities over a year.
"""

from datetime import date

import pytest
from sqlalchemy import bindparam, update

from prorata.actions.bills import lists as bill_lists
from prorata.actions.invoices import lists as invoice_lists
from prorata.actions.invoices.lists import SORTS, Wish
from prorata.actions.months import lists as month_lists
from prorata.actions.overview import overview
from prorata.actions.payments import payments
from prorata.actions.payments.payments import Received
from prorata.actions.properties import properties as property_actions, tenants
from prorata.domain.invoices.open_money import OPEN, OpenMoney
from prorata.domain.utility_names import UTILITY_TYPES
from prorata.errors import InvalidRequest
from prorata.store.database.statements import changes
from prorata.store.properties import units
from prorata.store.schema.tables import invoice
from tests.landlord import FakeArchive, Landlord

SET_DELIVERY = changes(
    update(invoice)
    .where(invoice.c.account_id == bindparam("account"), invoice.c.number == bindparam("named"))
    .values(delivery=bindparam("is_now"))
)


@pytest.fixture
def maple(landlord: Landlord):
    maple = landlord.property_()
    for unit in landlord.units(maple, "1", "2", "3"):
        landlord.tenant(unit, f"Tenant {unit.label}", email=f"t{unit.label}@example.org")
    return maple


def of_month(landlord, month="2026-02"):
    return landlord.see(overview.of_month, month)


def wanted(found):
    return {one.kind: one for one in found.attention}


def test_an_empty_account_has_no_figures_and_nothing_to_attend_to(landlord):
    found = landlord.see(overview.of_month)
    assert (found.month, found.figures, found.attention, found.costs) == ("2026-03", (), (), ())
    assert (found.months[0], found.months[-1], len(found.months)) == ("2025-04", "2026-03", 12)


def test_the_month_that_was_sent_last_is_shown_until_the_next_one_is_sent(landlord, maple):
    """Landlords check for payments of a month long after the next month has drafts."""

    def shown():
        return landlord.see(month_lists.latest_month)

    assert shown() == "2026-03", "nothing yet: the current month"
    landlord.bill(maple, 90_00, on=date(2026, 1, 5))
    landlord.bill(maple, 90_00, on=date(2026, 4, 5))
    assert shown() == "2026-01", "nothing sent: the newest one that has begun"
    landlord.bill(maple, 90_00, on=date(2026, 2, 5))
    assert shown() == "2026-02"
    landlord.set_status(maple, "1", "SENT", month="2026-01")
    assert shown() == "2026-01"
    landlord.set_status(maple, "1", "PAID", month="2026-01")
    assert shown() == "2026-01"
    landlord.set_status(maple, "1", "SENT", month="2026-02")
    assert shown() == "2026-02"
    landlord.set_status(maple, "1", "SENT", month="2026-04")
    assert shown() == "2026-02", "a later month may contain a final invoice that was sent early"


def test_a_month_is_summed_over_properties_and_never_over_currencies(landlord, maple):
    berlin = landlord.property_("Berlin", currency="EUR")
    landlord.unit(berlin, "1")
    landlord.rule(maple, "WATER", owner=10)
    landlord.bill(maple, 100_00)
    landlord.bill(berlin, 70_00)
    landlord.bill(maple, 33_00, on=date(2026, 1, 5))
    landlord.set_status(maple, "1", "SENT")
    landlord.set_status(maple, "2", "PAID")
    euro, dollar = of_month(landlord).figures
    assert (euro.currency, euro.billed, euro.drafts, euro.properties) == ("EUR", 0, 0, 1)
    assert (euro.owner, euro.vacant, euro.counts) == (70_00, 70_00, (0, 0, 0, 0, 0)), "its unit stands empty"
    assert (dollar.billed, dollar.drafts, dollar.sent, dollar.paid, dollar.overdue, dollar.owner) == (
        90_00, 30_00, 30_00, 30_00, 0, 10_00
    )  # fmt: skip
    assert dollar.counts == (1, 1, 1, 0, 0)
    landlord.set_status(maple, "1", "OVERDUE")
    landlord.set_status(maple, "3", "CANCELLED")
    (_, dollar) = of_month(landlord).figures
    assert (dollar.billed, dollar.drafts, dollar.sent, dollar.overdue) == (60_00, 0, 0, 30_00)


def test_everything_that_needs_attention_is_counted_and_says_where(landlord, maple):
    landlord.bill(maple, 90_00)
    landlord.set_status(maple, "1", "OVERDUE")
    landlord.set_status(maple, "2", "SENT")
    landlord.set_status(maple, "3", "SENT")
    landlord.bill(maple, 10_00, "GAS")
    landlord.rule(maple, "SEWER", "SQFT")
    landlord.bill(maple, 10_00, "SEWER", date(2026, 3, 1))
    for label, delivery in (("1", "failed"), ("2", "bounced"), ("3", "handOver")):
        named = {"named": f"MAPLECOURT-{label}-2026-02", "is_now": delivery}
        landlord.run(lambda tx, named=named: tx.run(SET_DELIVERY, account=landlord.account.id, **named))
    found = wanted(of_month(landlord))
    assert {kind: one.number for kind, one in found.items()} == {
        "overdue": 1, "mailFailed": 2, "waiting": 1, "missingFacts": 1, "handOver": 1, "drafts": 1
    }  # fmt: skip
    assert "Remind its tenant, or open it" in found["overdue"].message
    for kind, month in (("waiting", "2026-02"), ("missingFacts", "2026-03")):
        assert [(place.property_name, place.month) for place in found[kind].places] == [("Maple Court", month)]
    assert wanted(of_month(landlord, "2026-03"))["handOver"] == found["handOver"], "whichever month is looked at"
    landlord.set_status(maple, "2", "PAID")
    assert wanted(of_month(landlord))["mailFailed"].number == 1, "who has paid needs no message"
    for label in "123":
        named = {"named": f"MAPLECOURT-{label}-2026-02", "is_now": None}
        landlord.run(lambda tx, named=named: tx.run(SET_DELIVERY, account=landlord.account.id, **named))


def test_a_few_places_are_named_and_all_are_counted(landlord, maple):
    for month in range(1, 8):
        landlord.bill(maple, 90_00, on=date(2025, month, 5))
        landlord.set_status(maple, "1", "SENT", f"2025-{month:02d}")
        landlord.bill(maple, 10_00, "GAS", date(2025, month, 6))
        landlord.bill(maple, 11_00, "GAS", date(2025, month, 6))
    found = wanted(of_month(landlord))
    months = [f"2025-{month:02d}" for month in range(7, 2, -1)]
    assert (found["waiting"].number, [place.month for place in found["waiting"].places]) == (14, months)
    assert "pending" not in found, "late bills are listed once"
    landlord.do(
        tenants.change, landlord.read(units.tenants_of_properties, [maple.id])[0].id, {"move_out": "2025-07-10"}
    )
    found = wanted(of_month(landlord))
    assert (found["pending"].number, [place.month for place in found["pending"].places]) == (1, months[:1])


def test_every_month_with_invoices_to_hand_over_is_named_the_newest_first(landlord):
    oak = landlord.property_("Oak")
    for unit in landlord.units(oak, "1", "2"):
        landlord.tenant(unit, "Ann")
    assert "handOver" not in wanted(of_month(landlord))
    said = []
    for month in range(1, 8):
        landlord.bill(oak, 90_00, on=date(2025, month, 5))
        for label in ("1", "2"):
            landlord.set_status(oak, label, "SENT", f"2025-{month:02d}")
        one = wanted(of_month(landlord))["handOver"]
        assert one.number == 2 * min(month, 5)
        assert one.months == tuple((f"2025-{on:02d}", 2) for on in range(month, max(month - 5, 0), -1))
        assert one.has_more == (month > 5)
        said.append(one.message.partition(" to hand over")[0])
    assert said == [
        "2 invoices for January 2025", "4 invoices", "6 invoices", "8 invoices", "10 invoices",
        "More than 10 invoices", "More than 10 invoices",
    ]  # fmt: skip
    for label in ("1", "2"):
        landlord.set_status(oak, label, "PAID", "2025-06")
    assert [one.month for one in wanted(of_month(landlord))["handOver"].months][:2] == ["2025-07", "2025-05"]


def test_history_neither_waits_nor_is_missed_but_costs(landlord):
    oak = landlord.property_("Oak", billing_starts_month="2026-02")
    landlord.unit(oak, "1")
    landlord.bill(oak, 10_00, on=date(2026, 1, 5))
    found = of_month(landlord)
    assert found.attention == ()
    assert found.costs[0].amounts[-2:] == (10_00, 0)


def test_as_many_bills_wait_as_their_list_has(landlord, maple):
    landlord.bill(maple, 90_00)
    landlord.set_status(maple, "1", "SENT")
    late = landlord.bills(maple, 10_00, "GAS") + landlord.bills(maple, 20_00, "WATER;GAS")
    landlord.bill(landlord.property_("Oak", billing_starts_month="2026-03"), 10_00)
    listed = landlord.see(bill_lists.page, bill_lists.Wish({"waiting": "true"}), limit=50)
    assert {row.id for row in listed.rows} == {row.id for row in late}
    assert wanted(of_month(landlord))["waiting"].number == listed.total
    assert [landlord.waits(row) for row in landlord.stored_bills(maple)].count(True) == listed.total
    landlord.set_status(maple, "1", "DRAFT")
    assert "waiting" not in wanted(of_month(landlord)), "an open month charges them"


def test_costs_are_summed_by_utility_and_month_over_twelve_months(landlord, maple):
    elm = landlord.property_("Elm")
    for of in (maple, elm):
        landlord.bill(of, 10_00, on=date(2026, 2, 5))
        landlord.bill(of, 30_00, on=date(2025, 3, 5))
        landlord.bill(of, 99_00, on=date(2025, 2, 5))
    landlord.bill(maple, 7_00, "GAS", amounts=(("GAS", 5_00), ("LATE_FEE", 2_00)))
    gas, water, rest = of_month(landlord).costs
    assert (water.utility_type, water.amounts) == ("WATER", (60_00, *[0] * 10, 20_00))
    assert (gas.utility_type, gas.amounts[-1]) == ("GAS", 5_00)
    assert (rest.utility_type, rest.amounts[-1]) == (None, 2_00)
    assert {gas.utility_type, water.utility_type} <= set(UTILITY_TYPES)


def test_costs_of_every_utility_are_the_same_whether_there_is_another_currency_or_not(landlord, maple):
    for cents, kind in enumerate(UTILITY_TYPES, start=1):
        landlord.bill(maple, cents * 100, kind, amounts=((kind, cents * 100 - 1), ("LATE_FEE", 1)))
    alone = of_month(landlord).costs
    assert {one.utility_type: one.amounts[-1] for one in alone} == {
        None: len(UTILITY_TYPES), **{kind: cents * 100 - 1 for cents, kind in enumerate(UTILITY_TYPES, start=1)}
    }  # fmt: skip
    landlord.bill(landlord.property_("Berlin", currency="EUR"), 70_00)
    assert [one for one in of_month(landlord).costs if one.currency == "USD"] == list(alone)


def test_one_account_sees_nothing_of_another_in_its_overview(landlord, maple, clock):
    landlord.bill(maple, 90_00)
    landlord.set_status(maple, "1", "SENT")
    landlord.bill(maple, 10_00, "GAS")
    stranger = Landlord(landlord.database, clock, name="stranger")
    assert of_month(stranger)[1:3] == ((), ())
    with pytest.raises(InvalidRequest):
        of_month(landlord, "now")


def test_the_cards_of_a_month_add_up_to_what_was_billed(landlord, maple):
    """The invoices include partial payments, an overpayment, a negative total and a draft."""
    landlord.bill(maple, 90_00)
    landlord.bill(maple, -120_00, "GAS", on=date(2026, 1, 5))
    landlord.bill(maple, 200_00, on=date(2026, 1, 6))
    for label, month, paid in (("1", "2026-02", 10_00), ("2", "2026-02", 80_00), ("1", "2026-01", 5_00)):
        one = landlord.set_status(maple, label, "SENT", month=month).summary
        landlord.do(payments.receive, one.id, Received(paid, date(2026, 3, 9)))
    landlord.set_status(maple, "2", "OVERDUE", month="2026-01")
    for month in ("2026-01", "2026-02"):
        (figures,) = of_month(landlord, month).figures
        assert figures.billed == figures.drafts + figures.sent + figures.overdue + figures.paid - figures.credit


def test_what_is_open_over_all_months_is_kept_and_says_what_its_lists_hold(landlord, maple):
    for month in (1, 2, 3):
        landlord.bill(maple, 90_00, on=date(2026, month, 5))
    of = {}
    for label, month, status in (
        ("1", "2026-01", "OVERDUE"), ("2", "2026-01", "SENT"), ("3", "2026-01", "PAID"), ("3", "2026-02", "SENT"),
        ("2", "2026-02", "SENT"),
    ):  # fmt: skip
        of[label, month] = landlord.set_status(maple, label, status, month=month).summary
    landlord.do(payments.receive, of["3", "2026-02"].id, Received(100_00, date(2026, 3, 9)))
    landlord.do(payments.receive, of["2", "2026-02"].id, Received(7_00, date(2026, 3, 9)))
    landlord.set_status(maple, "2", "CANCELLED", month="2026-02")
    (found,) = of_month(landlord).open
    money = found.money
    assert money == OpenMoney(2, 60_00, 1, 30_00, 1, 70_00, 1, 7_00)
    assert sums_of_lists(landlord) == money
    (cy,) = [row for row in landlord.read(units.tenants_of_properties, [maple.id]) if row.name == "Tenant 3"]
    landlord.do(tenants.change, cy.id, {"move_out": "2026-03-09"})
    (found,) = of_month(landlord).open
    assert found.money == OpenMoney(2, 60_00, 1, 30_00, 0, 0, 2, 77_00), "a refund is due to who has left"
    assert sums_of_lists(landlord) == found.money
    assert (
        "2 invoices that were cancelled or whose households have moved out"
        in wanted(of_month(landlord))["refunds"].message
    )


def sums_of_lists(landlord):
    """Return the number of invoices on each list, and their open amounts."""
    counted = []
    for need in OPEN:
        for sort in SORTS:
            rows = landlord.see(invoice_lists.page, Wish({"currency": "USD"}, need=need, sort=sort), limit=50).rows
            sums = [one.paid_amount if one.status == "CANCELLED" else abs(one.total - one.paid_amount) for one in rows]
            assert sort == "number" or counted[-2:] == [len(rows), sum(sums)]
            counted += [len(rows), sum(sums)] if sort == "number" else []
        assert landlord.see(invoice_lists.page, Wish({"currency": "EUR"}, need=need), limit=50).rows == []
    return OpenMoney(*counted)


def test_a_property_that_is_deleted_takes_what_is_open_with_it(landlord, maple):
    landlord.bill(maple, 90_00)
    landlord.set_status(maple, "1", "SENT")
    assert of_month(landlord).open[0].money.owed == 30_00
    landlord.do(property_actions.remove, maple.id, FakeArchive())
    assert of_month(landlord).open == ()
