"""Invoices are printed from the kept copy or from the current facts.

The same choice applies to the facts that explain a charge.
"""

import json
from datetime import date
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import bindparam, update

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.bills import corrections
from prorata.actions.invoices import invoices
from prorata.actions.payments import payments
from prorata.actions.payments.payments import Received
from prorata.actions.printing import printed_invoices
from prorata.actions.properties import properties, tenants
from prorata.actions.recalculation import correction_decisions
from prorata.domain.billing_calendar import Month
from prorata.domain.printing.languages import texts_for
from prorata.domain.printing.printed_invoices import OpenInvoice
from prorata.domain.printing.rendering import write
from prorata.domain.usage import Usage
from prorata.errors import NotFound
from prorata.store.database.statements import changes
from prorata.store.invoices import invoices as stored_invoices
from prorata.store.schema.tables import account, invoice
from tests.domain.printing.test_rendering import PlainForms
from tests.landlord import Landlord

LIVE_IN = changes(update(account).where(account.c.id == bindparam("this")).values(timezone=bindparam("zone")))
LINK = changes(
    update(invoice)
    .where(invoice.c.account_id == bindparam("account"), invoice.c.id == bindparam("this"))
    .values(payment_link_url=bindparam("url"), printed=bindparam("printed"))
)


@pytest.fixture
def maple(landlord: Landlord):
    """Two units of 400 and 600 sq ft, with a tenant in the first.

    $90.00 of water for February is split by area.
    """
    maple = landlord.property_()
    one = landlord.unit(maple, "1", sqft=400)
    landlord.unit(maple, "2", sqft=600)
    landlord.tenant(one, "Ann", email="ann@example.org")
    landlord.rule(maple, "WATER", "SQFT")
    landlord.bill(maple, 90_00)
    return maple


def printed(landlord, of, label="1"):
    return landlord.see(printed_invoices.find, landlord.invoices(of)[label].summary.id)


def worked_out(found):
    """For each charge, the (part, whole, share) of its explanation's steps, or None."""
    return [
        [(step.part, step.whole, step.share) for step in charge.explanation.steps] if charge.explanation else None
        for charge in found.charges
    ]


def test_a_draft_prints_what_is_there_now(landlord, maple):
    landlord.do(properties.change, maple.id, {"name": "Oak Court"})
    found = printed(landlord, maple)
    assert (found.standing, found.copy.place.name, found.copy.locale, found.tenant_name) == (
        "draft", "Oak Court", "en-US", "Ann",
    )  # fmt: skip
    assert (found.total, found.paid, found.balance, found.due_date) == (36_00, 0, 36_00, None)
    assert worked_out(found) == [[(400, 1000, 36_00)]]


def test_a_correction_is_worked_out_from_what_is_right_while_the_facts_give_it_back(landlord, maple):
    landlord.bill(maple, 90_00, on=date(2026, 3, 5))
    bill = landlord.stored_bills(maple)[0].id
    landlord.set_status(maple, "1", "SENT")
    landlord.do(corrections.correct, bill, 60_01)
    landlord.do(correction_decisions.decide, maple.id, ["2026-02"], "next")
    found = landlord.see(printed_invoices.find, landlord.invoices(maple, month="2026-03")["1"].summary.id)
    assert worked_out(found) == [[(400, 1000, 36_00)], [(400, 1000, 24_00)]]
    (_, charge) = write(found, texts_for("en-US"), PlainForms()).charges
    assert charge.period
    assert "$60.01" in charge.source
    assert [line.text for line in charge.lines] == [
        "$36.00 was charged; it should have been $24.00.",
        "The bill came to $90.00 and was corrected to $60.01.",
        "Divided by floor area: this unit has 400 of the property’s 1,000 sq ft.",
        "$60.01 × 400 ÷ 1,000 = $24.00",
        "$24.00 − $36.00 = -$12.00",
    ]
    landlord.set_status(maple, "1", "SENT", month="2026-03")
    landlord.change_unit(landlord.stored_units(maple)[1], sqft=800)
    sent = landlord.see(printed_invoices.find, landlord.invoices(maple, month="2026-03")["1"].summary.id)
    assert sent.charges[1].explanation is None, "what is right by now is another share"


def test_a_correction_gives_the_corrected_usage(landlord, maple):
    landlord.bill(maple, 90_00, on=date(2026, 3, 5))
    landlord.set_status(maple, "1", "SENT")
    usages = {"WATER": Usage(Decimal(41), "m³", None)}
    landlord.do(corrections.correct, landlord.stored_bills(maple)[0].id, 120_00, usages=usages)
    landlord.do(correction_decisions.decide, maple.id, ["2026-02"], "next")
    found = landlord.see(printed_invoices.find, landlord.invoices(maple, month="2026-03")["1"].summary.id)
    assert [one.used for one in write(found, texts_for("en-US"), PlainForms()).charges] == ["", "Usage: 41\xa0m³."]


def test_a_correction_says_by_what_was_divided_before(landlord, maple):
    landlord.rule(maple, "WATER", "OCCUPANTS")
    landlord.bill(maple, 90_00, on=date(2026, 3, 5))
    units = landlord.stored_units(maple)
    landlord.tenant(units[1], "Ben", occupants=2)
    landlord.set_status(maple, "1", "SENT")
    landlord.tenant(units[1], "Li", move_in="2026-02-15")
    landlord.do(correction_decisions.decide, maple.id, ["2026-02"], "next")
    lines = lines_of_correction(landlord, maple)
    assert lines[0] == "$30.00 was charged; it should have been $25.71."
    assert lines[1] == "The days or the number of people of other tenants were corrected."
    assert "together 98" in lines[2], "what is right comes before what was"
    former = next(line for line in lines if line.startswith("Before the correction, it said: "))
    assert "together 84" in former
    landlord.change_unit(units[0], sqft=500)
    landlord.do(corrections.correct, landlord.stored_bills(maple)[0].id, 60_00)
    landlord.do(correction_decisions.decide, maple.id, ["2026-02"], "next")
    assert lines_of_correction(landlord, maple)[:2] == [
        "$30.00 was charged; it should have been $17.14.",
        "The bill came to $90.00 and was corrected to $60.00.",
    ]


def test_a_correction_gives_a_households_own_days_and_no_neighbors(landlord, maple):
    landlord.rule(maple, "WATER", "OCCUPANTS")
    landlord.bill(maple, 90_00, on=date(2026, 3, 5))
    ben = landlord.tenant(landlord.stored_units(maple)[1], "Ben", move_in="2026-02-01")
    for unit in ("1", "2"):
        landlord.set_status(maple, unit, "SENT")
    landlord.do(tenants.change, ben.id, {"move_in": "2026-02-10"})
    landlord.do(correction_decisions.decide, maple.id, ["2026-02"], "next")
    others = "The days or the number of people of other tenants were corrected."
    assert lines_of_correction(landlord, maple)[1] == others
    own = lines_of_correction(landlord, maple, unit="2")
    assert own[1] == "The tenant of unit 2 moved in on 2026-02-10, not on 2026-02-01."
    assert others not in own
    found = landlord.database.read(
        lambda tx: correction_decisions.changed_days_of(correction_decisions.closed_month(tx, maple, "2026-02"))
    )
    assert [(one.what, one.label) for one in found] == [("in", "2")]


def test_a_correction_says_that_another_split_method_is_right(landlord, maple):
    landlord.rule(maple, "WATER", "EQUAL")
    landlord.bill(maple, 90_00, on=date(2026, 3, 5))
    landlord.set_status(maple, "1", "SENT")
    landlord.rule(maple, "WATER", "SQFT")
    landlord.do(correction_decisions.decide, maple.id, ["2026-02"], "next")
    assert lines_of_correction(landlord, maple)[:2] == [
        "$45.00 was charged; it should have been $36.00.",
        "The way in which this cost is divided was corrected; landlord can tell you why.",
    ]


def test_a_second_correction_does_not_tell_the_facts_of_the_first(landlord, maple):
    landlord.bill(maple, 90_00, on=date(2026, 3, 5))
    landlord.set_status(maple, "1", "SENT")
    landlord.do(corrections.correct, landlord.stored_bills(maple)[0].id, 60_00)
    landlord.do(correction_decisions.decide, maple.id, ["2026-02"], "next")
    landlord.set_status(maple, "1", "SENT", month="2026-03")
    landlord.bill(maple, 90_00, on=date(2026, 4, 5))
    landlord.do(corrections.correct, landlord.stored_bills(maple)[0].id, 50_00)
    landlord.do(correction_decisions.decide, maple.id, ["2026-02"], "next")
    lines = lines_of_correction(landlord, maple, "2026-04")
    assert lines[0] == "$24.00 was charged; it should have been $20.00."
    assert lines[1].startswith("Divided by"), "$90.00 is not what the $24.00 came from"


def lines_of_correction(landlord, of, month="2026-03", unit="1"):
    found = landlord.see(printed_invoices.find, landlord.invoices(of, month=month)[unit].summary.id)
    (_, charge) = write(found, texts_for("en-US"), PlainForms()).charges
    return [line.text for line in charge.lines]


def test_what_was_carried_to_an_invoice_is_printed_as_a_credit_until_it_is_taken_back(landlord, maple):
    landlord.bill(maple, 90_00, on=date(2026, 3, 5))
    february = landlord.set_status(maple, "1", "SENT").summary
    payment = landlord.do(payments.receive, february.id, Received(50_00, date(2026, 3, 10)))
    march = landlord.set_status(maple, "1", "SENT", month="2026-03").summary
    found = landlord.see(printed_invoices.find, march.id)
    day = date(2026, 3, 10)
    assert (found.paid, found.credits) == (14_00, ((february.number, 14_00, day),))
    assert printed(landlord, maple).credits == ((march.number, -14_00, day),)
    landlord.do(payments.take_back, february.id, payment)
    assert landlord.see(printed_invoices.find, march.id).credits == ()


def test_the_other_invoices_that_the_tenant_has_to_pay_are_printed_while_they_are_unpaid(landlord, maple):
    def elsewhere(invoice_id):
        return landlord.see(printed_invoices.find, invoice_id).elsewhere

    landlord.bill(maple, 90_00, on=date(2026, 3, 5))
    february = landlord.set_status(maple, "1", "SENT").summary
    landlord.mail_leaves(february.id)
    landlord.mail_leaves(landlord.set_status(maple, "2", "SENT").summary.id)
    assert elsewhere(february.id) == (), "the neighbor's is another's"
    march = landlord.set_status(maple, "1", "SENT", month="2026-03").summary
    assert elsewhere(february.id) == (), "its e-mail may still be taken back"
    landlord.mail_leaves(march.id)
    of_march = OpenInvoice(march.number, Month("2026-03"), march.total, date(2026, 3, 24), is_overdue=False)
    assert elsewhere(february.id) == (of_march,)
    ((*_, amount, due, is_overdue),) = elsewhere(march.id)
    assert (amount, due, is_overdue) == (february.total, date(2026, 3, 24), False)
    landlord.do(payments.receive, february.id, Received(10_00, date(2026, 3, 10)))
    assert [other.amount for other in elsewhere(march.id)] == [february.total - 10_00]
    landlord.do(payments.receive, february.id, Received(february.total - 10_00, date(2026, 3, 10)))
    assert elsewhere(march.id) == ()
    assert elsewhere(february.id) == (of_march,), "for the e-mail, also of a paid invoice"


def test_a_credit_is_said_to_meet_the_next_invoice_while_its_household_stays(landlord, maple):
    def said():
        return write(printed(landlord, maple), texts_for("en-US"), PlainForms()).credit[1:]

    february = landlord.set_status(maple, "1", "SENT").summary
    landlord.do(payments.receive, february.id, Received(50_00, date(2026, 3, 10)))
    next_one = "$14.00 will be taken off your next invoice. You need not do anything for this."
    assert said() == (next_one, "In all, you owe nothing at the moment.")
    landlord.do(accounts.change_settings, Wishes(carry_credits=False))
    assert said()[0].startswith("Please ask ")
    landlord.do(accounts.change_settings, Wishes(carry_credits=True))
    landlord.do(tenants.change, february_tenant(landlord, maple), {"move_out": "2026-03-01"})
    assert said()[0].startswith("As you have moved out, $14.00 will be paid back to you."), "no invoice follows"


def february_tenant(landlord, of):
    return landlord.invoices(of)["1"].summary.tenant_id


def test_what_has_left_draft_prints_what_was_kept(landlord, maple):
    landlord.set_status(maple, "1", "SENT")
    landlord.do(properties.change, maple.id, {"name": "Oak Court"})
    landlord.change_unit(landlord.stored_units(maple)[0], label="1A", sqft=500)
    found = printed(landlord, maple, "1A")
    assert (found.copy.place.name, found.copy.unit_label) == ("Maple Court", "1")
    assert worked_out(found) == [[(400, 1000, 36_00)]]
    landlord.set_status(maple, "1A", "DRAFT")
    found = printed(landlord, maple, "1A")
    assert (found.copy.place.name, found.copy.unit_label) == ("Oak Court", "1A")
    assert worked_out(found) == [[(500, 1100, 40_91)]]


def test_a_draft_of_a_closed_month_is_explained_by_the_facts_it_was_closed_with(landlord, maple):
    landlord.set_status(maple, "1", "SENT")
    landlord.change_unit(landlord.stored_units(maple)[1], sqft=1000)
    assert worked_out(printed(landlord, maple, "2")) == [[(600, 1000, 54_00)]]


def test_a_cancelled_invoice_is_explained_only_as_long_as_its_facts_give_it_back(landlord, maple):
    landlord.set_status(maple, "1", "CANCELLED")
    assert worked_out(printed(landlord, maple)) == [[(400, 1000, 36_00)]]
    landlord.change_unit(landlord.stored_units(maple)[0], sqft=500)
    found = printed(landlord, maple)
    assert worked_out(found) == [None]
    assert found.charges[0].description == "Aqua Water Co., bill of 2026-02-20, $90.00: 400 of 1,000 sq ft"


def test_the_owner_s_part_of_a_line_is_that_of_the_rule_and_tells_nothing_of_a_neighbour(landlord, maple):
    landlord.rule(maple, "WATER", "SQFT", owner=10)
    before = printed(landlord, maple)
    assert before.charges[0].explanation.owner == 9_00
    landlord.set_status(maple, "2", "CANCELLED")
    assert printed(landlord, maple).charges == before.charges


def test_a_person_s_own_charge_has_no_explanation(landlord, maple):
    invoice_id = landlord.invoices(maple)["1"].summary.id
    landlord.do(invoices.add_custom_charge, invoice_id, "A new key", 25_00)
    found = printed(landlord, maple)
    assert [(charge.description, charge.amount) for charge in found.charges if charge.explanation is None] == [
        ("A new key", 25_00)
    ]
    assert found.total == 61_00


def test_the_day_of_payment_is_the_day_in_the_account_s_time_zone(landlord, maple, clock):
    clock.moment = clock.moment.replace(hour=3)
    landlord.run(lambda tx: tx.run(LIVE_IN, this=landlord.account.id, zone="America/Chicago"))
    landlord.set_status(maple, "1", "PAID")
    found = printed(landlord, maple)
    assert (found.standing, found.paid_on) == ("paid", clock.moment.astimezone(ZoneInfo("America/Chicago")).date())
    assert found.paid_on.isoformat() == "2026-03-09"


def test_a_copy_from_before_locales_were_kept_still_prints(landlord, maple):
    landlord.set_status(maple, "1", "SENT")
    row = landlord.read(stored_invoices.find, landlord.invoices(maple)["1"].summary.id)
    kept = json.loads(row.printed)
    assert kept.pop("locale") == "en-US"
    link = "https://pay.example.org/1"
    landlord.run(lambda tx: tx.run(LINK, account=landlord.account.id, this=row.id, url=link, printed=json.dumps(kept)))
    found = printed(landlord, maple)
    assert (found.copy.locale, found.payment_link) == ("en-US", link)


def test_an_invoice_is_found_by_its_id_or_its_number_and_a_stranger_finds_neither(landlord, maple, database, clock):
    invoice_id = landlord.invoices(maple)["1"].summary.id
    stranger = Landlord(database, clock, name="stranger")
    for named in (invoice_id, "MAPLECOURT-1-2026-02", " maplecourt-1-2026-02 "):
        assert landlord.see(printed_invoices.named_row, named).number == "MAPLECOURT-1-2026-02"
        with pytest.raises(NotFound):
            stranger.see(printed_invoices.named_row, named)
    with pytest.raises(NotFound):
        landlord.see(printed_invoices.find, "MAPLECOURT-1-2026-02")
    with pytest.raises(NotFound):
        landlord.see(printed_invoices.named_row, "MAPLECOURT-3-2026-02")


def test_an_invoice_names_those_who_share_it_as_they_were_when_it_was_sent(landlord: Landlord, maple):
    bo = landlord.tenant(landlord.stored_units(maple)[0], "Bo Lin")
    assert household(landlord, maple) == ("Ann · Bo Lin",)
    landlord.set_status(maple, "1", "SENT")
    landlord.do(tenants.change, bo.id, {"name": "Bo Miller"})
    assert household(landlord, maple) == ("Ann · Bo Lin",)


def test_an_invoice_for_one_person_names_no_household(landlord: Landlord, maple):
    assert household(landlord, maple) is None


def household(landlord, of):
    written = write(printed(landlord, of), texts_for("en-US"), PlainForms())
    return dict(written.facts).get("Household")
