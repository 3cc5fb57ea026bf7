"""An invoice that is sent again with another total gets another number.

It states which invoice it replaces, and the earlier version can still be read.
"""

import json
from datetime import date

import pytest

from prorata.actions.invoices import invoices, papers, statuses
from prorata.actions.invoices.statuses import NewStatus
from prorata.actions.overview.consistency_checks import check_account
from prorata.actions.printing import printed_invoices
from prorata.adapters.locale_forms import LocaleForms
from prorata.domain.invoices.numbers import invoice_number_order
from prorata.domain.payments.files import BankRow
from prorata.domain.payments.matching import Books
from prorata.domain.printing.languages import texts_for
from prorata.domain.printing.rendering import replaces_in_words, write
from prorata.errors import NotFound
from prorata.store.invoices import earlier_invoices, invoices as stored_invoices
from prorata.store.overview import activity
from prorata.store.payments import candidates
from prorata.store.properties import properties
from tests.landlord import Landlord

BEFORE, AFTER = "MAPLECOURT-1-2026-02", "MAPLECOURT-1.R1-2026-02"


@pytest.fixture
def maple(landlord: Landlord):
    """Two units with tenants, and $90.00 of water and $30.00 of gas for February.

    The first unit's invoice was sent on 10 March.
    """
    maple = landlord.property_()
    one, two = landlord.units(maple, "1", "2")
    landlord.tenant(one, "Ann", email="ann@example.org")
    landlord.tenant(two, "Bo")
    landlord.bill(maple, 90_00)
    landlord.bill(maple, 30_00, "GAS")
    landlord.set_status(maple, "1", "SENT")
    return maple


def row_of(landlord, maple, label="1"):
    return landlord.read(stored_invoices.find, landlord.invoices(maple)[label].summary.id)


def more_water(landlord, maple, clock, cents=20_00):
    """Reopen the month and add a late bill, so that the month is recalculated."""
    clock.forward(days=2)
    landlord.set_status(maple, "1", "DRAFT")
    landlord.bill(maple, cents, on=date(2026, 2, 20))


def printed(landlord, row, number=None):
    if number is None:
        return landlord.see(printed_invoices.find, row.id)
    return landlord.see(printed_invoices.under, row.id, number)


def in_words(found, locale="en-US"):
    return replaces_in_words(found, texts_for(locale), LocaleForms(locale, lambda _: True))


def test_one_that_is_sent_again_with_another_total_has_another_number_and_says_what_it_replaces(landlord, maple, clock):
    more_water(landlord, maple, clock)
    draft = row_of(landlord, maple)
    assert (draft.number, draft.total) == (BEFORE, 70_00), "as long as it is not sent"

    sent = landlord.set_status(maple, "1", "SENT").summary

    row = row_of(landlord, maple)
    assert (sent.id, sent.number, sent.replaces_number) == (draft.id, AFTER, BEFORE)
    assert row.number_key == invoice_number_order(AFTER)
    assert in_words(printed(landlord, row)) == (
        f"This corrected invoice replaces invoice {BEFORE} of March 10, 2026. What has changed: water from $45.00 to "
        "$55.00, total from $60.00 to $70.00."
    )
    landlord.sound()


@pytest.mark.parametrize(
    ("locale", "says"),
    [
        ("de-DE", (f"Diese korrigierte Rechnung ersetzt die Rechnung {BEFORE} vom 10. März 2026. Das hat sich "
         "geändert: Wasser von 45,00\xa0$ auf 55,00\xa0$, Summe von 60,00\xa0$ auf 70,00\xa0$.")),
        ("fr-FR", (f"Cette facture corrigée remplace la facture {BEFORE} du 10 mars 2026. Ce qui a changé\xa0: eau de "
         "45,00\xa0$US à 55,00\xa0$US, total de 60,00\xa0$US à 70,00\xa0$US.")),
        ("es-ES", (f"Esta factura corregida sustituye a la factura {BEFORE} del 10 de marzo de 2026. Lo que ha cambiado: "
         "agua de 45,00\xa0US$ a 55,00\xa0US$, total de 60,00\xa0US$ a 70,00\xa0US$.")),
    ],
)  # fmt: skip
def test_it_says_so_in_the_language_of_the_account(landlord, maple, clock, locale, says):
    more_water(landlord, maple, clock)
    landlord.set_status(maple, "1", "SENT")
    assert in_words(printed(landlord, row_of(landlord, maple)), locale) == says


def test_an_unchanged_total_keeps_the_number(landlord, maple, clock):
    clock.forward(days=2)
    landlord.set_status(maple, "1", "DRAFT")
    shown = landlord.set_status(maple, "1", "SENT").summary
    assert (shown.number, shown.replaces_number) == (BEFORE, None)
    assert in_words(printed(landlord, row_of(landlord, maple))) == ""


@pytest.mark.parametrize("status", ["PAID", "OVERDUE", "SENT"])
@pytest.mark.parametrize("way", ["DRAFT", "CANCELLED"])
def test_it_is_so_from_draft_and_cancelled_to_whatever_counts(landlord, maple, clock, way, status):
    landlord.set_status(maple, "1", way)
    landlord.bill(maple, 20_00, on=date(2026, 2, 20))
    assert landlord.set_status(maple, "1", status).summary.number == AFTER
    landlord.sound()


def test_each_further_one_replaces_the_last_and_a_number_is_given_once(landlord, maple, clock):
    more_water(landlord, maple, clock)
    landlord.set_status(maple, "1", "SENT")
    more_water(landlord, maple, clock, -20_00)

    shown = landlord.set_status(maple, "1", "SENT").summary

    assert (shown.total, shown.number) == (60_00, "MAPLECOURT-1.R2-2026-02"), "though it is what was sent first"
    assert shown.replaces_number == AFTER
    row = row_of(landlord, maple)
    assert [printed(landlord, row, one).total for one in (BEFORE, AFTER)] == [60_00, 70_00]
    assert in_words(printed(landlord, row, AFTER)).endswith("water from $45.00 to $55.00, total from $60.00 to $70.00.")
    landlord.sound()


def test_that_of_another_household_has_both_marks(landlord, clock):
    maple = landlord.property_()
    (one,) = landlord.units(maple, "1")
    landlord.tenant(one, "Ann", move_out="2026-02-14")
    landlord.tenant(one, "Bo", move_in="2026-02-15")
    landlord.bill(maple, 28_00)
    landlord.set_status(maple, "1.1", "SENT")
    landlord.set_status(maple, "1.1", "DRAFT")
    landlord.bill(maple, 28_00, on=date(2026, 2, 21))
    row = row_of(landlord, maple, "1.1")
    assert landlord.set_status(maple, "1.1", "SENT").summary.number == "MAPLECOURT-1.1R1-2026-02"
    earlier = printed(landlord, row, "MAPLECOURT-1.1-2026-02")
    assert (earlier.total, [bool(charge.explanation) for charge in earlier.charges]) == (14_00, [True])
    landlord.sound()


def test_what_was_sent_before_is_had_as_it_was_and_marked(landlord, maple, clock):
    row = row_of(landlord, maple)
    was = printed(landlord, row)
    more_water(landlord, maple, clock)
    landlord.set_status(maple, "1", "SENT")

    earlier = printed(landlord, row, BEFORE.lower())

    assert earlier == was._replace(replaced_by=AFTER)
    assert all(charge.explanation for charge in earlier.charges), "worked out by the facts of then"
    says = write(earlier, texts_for("en-US"), LocaleForms("en-US", lambda _: True))
    assert (says.heading, says.stamp) == ("Invoice", f"Replaced by {AFTER}")
    assert landlord.see(papers.find_named, BEFORE).printed == earlier
    assert landlord.see(papers.find_named, AFTER).printed.total == 70_00
    with pytest.raises(NotFound):
        printed(landlord, row_of(landlord, maple, "2"), BEFORE)


def test_its_charges_say_what_was_otherwise_when_the_one_before_was_sent(landlord, maple, clock):
    landlord.set_status(maple, "1", "DRAFT")
    landlord.units(maple, "3")
    landlord.set_status(maple, "1", "SENT")
    found = printed(landlord, row_of(landlord, maple))
    charges = write(found, texts_for("en-US"), LocaleForms("en-US", lambda _: True)).charges
    assert [[line.text for line in one.lines] for one in charges] == [
        [
            "Divided equally: this unit pays 1 of 3 equal shares.",
            "$90.00 ÷ 3 = $30.00",
            "Before the correction, it said: Divided equally: this unit pays 1 of 2 equal shares.",
        ],
        [
            "Divided equally: this unit pays 1 of 3 equal shares.",
            "$30.00 ÷ 3 = $10.00",
            "Before the correction, it said: Divided equally: this unit pays 1 of 2 equal shares.",
        ],
    ]
    assert in_words(found).endswith(
        "water from $45.00 to $30.00, gas from $15.00 to $10.00, total from $60.00 to $40.00."
    )


def test_what_was_added_or_taken_away_by_hand_is_named(landlord, maple, clock):
    row = row_of(landlord, maple)
    landlord.set_status(maple, "1", "DRAFT")
    landlord.do(invoices.add_custom_charge, row.id, "Garage", 25_00)
    landlord.set_status(maple, "1", "SENT")
    assert in_words(printed(landlord, row)).endswith("Garage from $0.00 to $25.00, total from $60.00 to $85.00.")


def test_taking_the_change_back_keeps_the_number(landlord, maple):
    row = row_of(landlord, maple)
    landlord.set_status(maple, "1", "DRAFT")
    undo(landlord, row.id, "DRAFT", "SENT")
    again = row_of(landlord, maple)
    assert (again.status, again.number, again.revision) == ("SENT", BEFORE, 0)


def test_a_number_that_was_given_is_not_taken_back(landlord, maple, clock):
    more_water(landlord, maple, clock)
    row = row_of(landlord, maple)
    landlord.set_status(maple, "1", "SENT")
    undo(landlord, row.id, "SENT", "DRAFT")
    assert row_of(landlord, maple).number == AFTER
    landlord.set_status(maple, "1", "SENT")
    assert row_of(landlord, maple).number == AFTER, "its total is what it was sent with under that"
    landlord.sound()


def undo(landlord, invoice_id, done, back_to):
    def run(tx):
        row = stored_invoices.find(tx, landlord.caller.account_id, invoice_id)
        locked = properties.lock(tx, landlord.caller.account_id, row.property_id)
        before = statuses.before(tx, landlord.caller.account_id, row.id, done, back_to=back_to)
        return statuses.set_many(tx, landlord.caller, locked, [NewStatus(row, back_to, before)])

    return landlord.run(run)


def test_it_is_found_by_the_number_of_before(landlord, maple, clock):
    more_water(landlord, maple, clock)
    landlord.set_status(maple, "1", "SENT")
    row = row_of(landlord, maple)
    for number in (BEFORE, AFTER):
        assert landlord.read(earlier_invoices.find_by_number, number) == row


def test_the_log_says_what_it_replaces(landlord, maple, clock):
    more_water(landlord, maple, clock)
    landlord.set_status(maple, "1", "SENT")
    (event,) = landlord.read(activity.page, limit=1)
    assert json.loads(event.after)["replaces_number"] == BEFORE


def test_a_payment_that_names_the_number_of_before_finds_it(landlord, maple, clock):
    more_water(landlord, maple, clock)
    landlord.set_status(maple, "1", "SENT")
    row = row_of(landlord, maple)
    assert [one.number for one in landlord.read(candidates.by_numbers, [BEFORE, AFTER])] == [AFTER]
    known = landlord.read(candidates.by_numbers, [BEFORE])
    books = Books(known, earlier={BEFORE: row.id})
    for text in (BEFORE, BEFORE.replace("-", " "), AFTER, f"{BEFORE} {AFTER}"):
        found = books.match(BankRow(2, date(2026, 3, 20), 10_00, "USD", "", text, "", "file:2"))
        assert [[part.invoice.id for part in one] for one in found.candidates] == [[row.id]], text


def test_what_is_kept_of_one_and_is_amiss_is_named_by_the_check(landlord, maple, clock):
    more_water(landlord, maple, clock)
    landlord.set_status(maple, "1", "SENT")
    row = row_of(landlord, maple)
    landlord.run(lambda tx: earlier_invoices.renumber(tx, [row._replace(revision=0)]))
    assert len(list(check_account(landlord.database, landlord.account.id))) == 3
    landlord.run(lambda tx: earlier_invoices.renumber(tx, [row]))
