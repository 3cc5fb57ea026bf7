"""An invoice is correct in every state and language.

Money and days are in plain forms that the test supplies.
"""

import re
import string
from datetime import date
from decimal import Decimal
from fractions import Fraction

import pytest

from prorata.domain.billing_calendar import Month
from prorata.domain.method_words import Printed
from prorata.domain.money import in_words, quantity
from prorata.domain.printing.earlier_amounts import Earlier
from prorata.domain.printing.languages import LANGUAGES
from prorata.domain.printing.printed_invoices import (
    Biller,
    CarriedCredit,
    Copy,
    OpenInvoice,
    Place,
    PrintedCharge,
    PrintedInvoice,
    from_json,
    to_json,
)
from prorata.domain.printing.rendering import write
from prorata.domain.printing.texts import Texts
from prorata.domain.printing.translations import ENGLISH, FRENCH, GERMAN, SPANISH
from prorata.domain.splitting.explanations import explain
from prorata.domain.splitting.share_rules import Rule
from prorata.domain.splitting.split_methods import METHODS
from prorata.domain.splitting.stays import LineDays
from tests.domain.splitting.houses import plan_month
from tests.domain.splitting.test_explanations import HOUSE, water
from tests.domain.splitting.test_planned_charges import facts, line

COPY = Copy(
    Biller("Harbor Rentals", "400 Harbor Road\n\nDuluth", "billing@example.org"),
    Place("Maple Court", "12", "Main Street", "Springfield", "IL", "62701", "US"),
    "2B",
    "USD",
    "en-US",
)
OTHERS = (
    OpenInvoice("A-1-2026-01", Month("2026-01"), 40_00, date(2026, 2, 15), is_overdue=True),
    OpenInvoice("A-1-2026-02", Month("2026-02"), 4_50, date(2026, 4, 15), is_overdue=False),
)


class PlainForms:
    """Forms that write amounts as in sentences, and days as ISO dates."""

    def money(self, cents: int, currency: str) -> str:
        return in_words(cents, currency)

    def price(self, value: Decimal, currency: str) -> str:
        return f"{currency} {value}"

    def day(self, day: date) -> str:
        return day.isoformat()

    def month(self, month: Month) -> str:
        return month

    def month_of_year(self, month: Month) -> str:
        return month

    def days(self, first: date, last: date) -> str:
        return f"{first} to {last}"

    def number(self, value: Fraction) -> str:
        return quantity(value)

    def percent(self, value: Fraction) -> str:
        return f"{quantity(value)}%"


def charges(*lines, rule=None, unit="u1", units=HOUSE):
    month = facts(*lines, rules=[rule or water("SQFT")], units=units)
    return tuple(
        PrintedCharge(one.utility_type, one.amount, one.description, explain(month, unit, one))
        for one in plan_month(month).charges[unit]
    )


def invoice(**other):
    charged = other.pop("charges", charges(line(320_10)))
    values = {
        "number": "MAPLE-2B-2026-03",
        "month": Month("2026-03"),
        "status": "SENT",
        "invoice_date": date(2026, 4, 6),
        "due_date": date(2026, 4, 20),
        "made_at": "2026-04-01T10:00:00.000Z",
        "copy": COPY,
        "tenant_name": "Ann Smith",
        "charges": charged,
        "total": sum(charge.amount for charge in charged),
        "paid": 0,
        "paid_on": None,
        "payment_link": None,
    }
    return PrintedInvoice(**values | other)


def written(texts=ENGLISH, **other):
    return write(invoice(**other), texts, PlainForms())


@pytest.mark.parametrize(
    ("other", "standing", "figure", "sections"),
    [
        ({}, "due", "$90.70", ["How to pay", "Is something wrong?"]),
        ({"paid": 40_00}, "due", "$50.70", ["How to pay", "Is something wrong?"]),
        ({"status": "OVERDUE"}, "overdue", "$90.70", ["How to pay", "Is something wrong?"]),
        ({"status": "PAID", "paid": 90_70, "paid_on": date(2026, 4, 9)}, "paid", "$90.70", ["Is something wrong?"]),
        ({"paid": 100_00}, "credit", "$9.30", ["Is something wrong?"]),
        ({"charges": charges(line(-84_37))}, "credit", "$23.90", ["Is something wrong?"]),
        ({"charges": ()}, "settled", "$0.00", ["Is something wrong?"]),
        ({"disputed": 40_00}, "due", "$50.70", ["How to pay", "Is something wrong?"]),
        ({"disputed": 40_00, "status": "OVERDUE"}, "overdue", "$50.70", ["How to pay", "Is something wrong?"]),
        ({"disputed": 80_00, "paid": 20_70, "status": "OVERDUE"}, "disputed", "$0.00", ["Is something wrong?"]),
        ({"disputed": 40_00, "status": "PAID", "paid": 90_70}, "paid", "$90.70", ["Is something wrong?"]),
        ({"disputed": 40_00, "paid": 100_00}, "credit", "$9.30", ["Is something wrong?"]),
        ({"disputed": 40_00, "status": "DRAFT"}, "draft", "$90.70", ["Is something wrong?"]),
        ({"status": "DRAFT", "due_date": None}, "draft", "$90.70", ["Is something wrong?"]),
        ({"status": "CANCELLED", "due_date": None}, "cancelled", "$90.70", []),
        ({"tenant_name": None}, "vacant", "$90.70", []),
    ],
)
def test_an_invoice_says_where_it_stands_and_what_to_do(other, standing, figure, sections):
    assert invoice(**other).standing == standing
    says = written(**other)
    assert says.headline.figure == figure
    assert [section.title for section in says.sections] == sections
    assert says.stamp == {"draft": "Draft", "cancelled": "Cancelled"}.get(standing, "")


def test_the_headline_says_when_to_pay_and_that_a_day_has_passed():
    assert written().headline.note == "Due by 2026-04-20"
    assert written(status="OVERDUE").headline.note == "Was due on 2026-04-20"
    assert written(paid=90_70, paid_on=date(2026, 4, 9)).headline.note == "On 2026-04-09. Thank you."
    assert "$5.00 was received" in written(status="CANCELLED", paid=5_00).headline.note


def of_days(first, last, kind="WATER", *, dated=date(2026, 3, 14)):
    """Charges of a bill for certain days."""
    billed = line(320_10, kind)._replace(service=LineDays(first, last), bill_date=dated)
    return charges(billed, rule=water("SQFT")._replace(utility_type=kind))


TIED = "the last of the months {}, which have equally many of the bill’s days."
FEBRUARY, MARCH, APRIL = (LineDays(date(2026, at, 1), date(2026, at, 28)) for at in (2, 3, 4))


@pytest.mark.parametrize(
    ("charged", "said"),
    [
        (of_days(*MARCH), None),
        (of_days(date(2026, 2, 20), date(2026, 3, 19)), "the month with most of the bill’s days."),
        (of_days(date(2026, 2, 10), date(2026, 3, 9)), "the month in which the bill’s days end."),
        (of_days(date(2026, 2, 15), date(2026, 3, 14)), TIED.format("2026-02 and 2026-03")),
        (of_days(date(2026, 1, 1), date(2026, 3, 31)), TIED.format("2026-01 and 2026-03")),
        (of_days(date(2025, 12, 1), date(2026, 3, 31)), TIED.format("2025-12, 2026-01 and 2026-03")),
        (of_days(*FEBRUARY), "the month of the bill’s date; it was on no earlier invoice of yours."),
        (
            of_days(*APRIL, dated=date(2026, 5, 2)),
            "the month that was chosen for this bill; it was on no earlier invoice of yours.",
        ),
    ],
)
def test_days_of_another_month_are_explained_by_what_holds_whoever_chose_the_month(charged, said):
    assert written(charges=charged).billed_here == (() if said is None else (f"Billed in 2026-03, {said}",))


def test_charges_are_named_beside_others_whose_days_are_in_the_month_for_another_reason():
    charged = (*of_days(*FEBRUARY), *of_days(*FEBRUARY, "GAS"), *of_days(*MARCH, "ELECTRICITY"))
    assert written(charges=charged).billed_here == (
        "Billed in 2026-03, the month of the bill’s date; it was on no earlier invoice of yours (Water, Gas).",
    )
    corrected = tuple(one._replace(corrects_month=Month("2026-02")) for one in charged)
    assert written(charges=corrected).billed_here == ()
    (said,) = written(charges=(corrected[1], charged[0])).billed_here
    assert said.endswith("(Water)."), "it isn’t said of the correction"


def test_a_link_is_paid_by_and_without_one_the_biller_is_asked():
    pay = written(payment_link="https://pay.example.org/1").sections[0]
    assert (pay.link, "MAPLE-2B-2026-03" in pay.alt) == ("https://pay.example.org/1", True)
    pay = written().sections[0]
    assert pay.link is None
    assert pay.sentences == (
        "Pay $90.70 to Harbor Rentals and give the invoice number MAPLE-2B-2026-03.",
        "For payment details, please ask billing@example.org.",
    )


def test_a_biller_without_a_contact_is_asked_by_name():
    nameless = COPY._replace(biller=Biller("Harbor Rentals", "", " \n "))
    assert written(copy=nameless).sections[1].sentences[0].startswith("Contact Harbor Rentals.")


def test_totals_are_total_paid_and_balance_and_a_cancelled_invoice_has_no_balance():
    assert written(paid=40_00).totals == (("Total", "$90.70"), ("Paid", "$40.00"), ("Balance", "$50.70"))
    assert [name for name, _ in written(status="CANCELLED").totals] == ["Total", "Paid"]


def test_what_is_in_dispute_is_told_beside_the_balance_and_not_asked_for():
    totals = (("Total", "$90.70"), ("Paid", "$30.70"), ("Balance", "$60.00"))
    says = written(paid=30_70, disputed=40_00, payment_link="https://pay.example.org/1")
    assert says.totals == (*totals, ("In dispute", "$40.00"), ("To pay now", "$20.00"))
    assert says.sections[0].sentences[0].startswith("Pay $20.00 to Harbor Rentals")
    assert says.sections[0].link is None, "the link asks for all of the balance"
    says = written(paid=30_70, disputed=90_70)
    assert says.totals == (*totals, ("In dispute", "$60.00"), ("To pay now", "$0.00"))
    assert (says.headline.label, says.headline.note) == ("Nothing to pay", "In dispute: $60.00")


def test_what_was_carried_from_another_invoice_is_said_as_its_credit_and_not_as_paid():
    one = CarriedCredit("A-1-2026-01", 30_00)
    assert written(paid=40_00, credits=(one,)).totals == (
        ("Total", "$90.70"), ("Credit from invoice A-1-2026-01", "$30.00"), ("Paid", "$10.00"), ("Balance", "$50.70"),
    )  # fmt: skip
    covered = written(paid=90_70, credits=(one, CarriedCredit("A-1-2026-02", 60_70)))
    assert [name for name, _ in covered.totals] == [
        "Total", "Credit from invoice A-1-2026-01", "Credit from invoice A-1-2026-02", "Balance",
    ]  # fmt: skip


def test_what_was_carried_to_another_invoice_and_what_others_ask_for_stand_beside_the_balance():
    says = written(paid=90_70, credits=(CarriedCredit("A-1-2026-04", -10_22),), elsewhere=OTHERS)
    assert says.totals == (
        ("Total", "$90.70"), ("Paid", "$100.92"), ("Credited to invoice A-1-2026-04", "$10.22"),
        ("Balance", "$0.00"),
    )  # fmt: skip
    both = (
        "A-1-2026-01 (2026-01): $40.00, was due on 2026-02-15 (overdue)",
        "A-1-2026-02 (2026-02): $4.50, due on 2026-04-15",
    )
    at_once = "You can pay all of it at once, with all the invoice numbers as the reference."
    assert says.elsewhere == ("Your other open invoices:", *both, at_once)


def test_what_was_given_of_a_credit_brings_its_total_up_to_the_balance():
    below = charges(line(-84_37))
    carried = written(charges=below, paid=-20_00, credits=(CarriedCredit("A-1-2026-04", -20_00),)).totals
    assert carried == (
        ("Total", "-$23.90"), ("Credited to invoice A-1-2026-04", "$20.00"), ("Balance", "-$3.90"),
    )  # fmt: skip
    assert written(charges=below, paid=-23_90).totals == (
        ("Total", "-$23.90"), ("Paid back", "$23.90"), ("Balance", "$0.00"),
    )  # fmt: skip


def test_what_only_the_month_before_had_is_listed_by_the_names_of_charges():
    before = Earlier("TRASH", "", 37_30, None, is_corrected=True), Earlier(None, "Key", 5_00, None)
    says = written(only_before=before)
    assert says.only_before == "2026-02 also had: Refuse collection $37.30 (including corrections), Key $5.00."
    assert written().only_before == ""


def test_a_credit_says_what_it_is_where_it_was_used_and_what_is_owed_in_all():
    below, used = charges(line(-84_37)), (CarriedCredit("A-1-2026-04", -20_00, date(2026, 4, 2)),)
    says = written(charges=below, paid=-20_00, credits=used, elsewhere=OTHERS, credit_goes="next")
    assert says.credit == (
        "This invoice is a credit: you get $23.90, and have nothing to pay.",
        "$20.00 was taken off your invoice A-1-2026-04 on 2026-04-02.",
        "$3.90 will be taken off your next invoice. You need not do anything for this.",
        "Your other invoices ask for $44.50; your credit of $3.90 is not yet taken off them.",
        "In all, you now owe $40.60, of which $40.00 is overdue.",
    )
    assert (says.headline.label, says.headline.figure) == ("Credit in your favour", "$23.90")
    spent = written(charges=below, paid=-23_90, credits=(used[0]._replace(amount=-23_90),), elsewhere=OTHERS[1:])
    assert spent.credit[-1] == "In all, you now owe $4.50. Please pay it by 2026-04-15."
    assert (spent.headline.label, spent.headline.figure) == ("Nothing to pay", "$0.00"), "it is used up"
    further = OTHERS[0]._replace(number="A-1-2025-12", amount=-5_00, due_date=None, is_overdue=False)
    assert written(charges=below, elsewhere=(*OTHERS, further)).credit[-2:] == (
        "Your other invoices ask for $44.50; your credit of $28.90 is not yet taken off them.",
        "In all, you now owe $15.60, which is overdue.",
    ), "a credit on another invoice counts, too"
    covered = written(charges=below, elsewhere=OTHERS[1:]).credit
    assert covered[-2:] == (
        "Your other invoices ask for $4.50; your credit of $23.90 is not yet taken off them.",
        "In all, you owe nothing at the moment.",
    )
    overpaid = written(paid=100_00)
    assert overpaid.credit == (
        "You have paid $9.30 more than this invoice comes to.",
        "Please ask billing@example.org how the $9.30 will be paid out or set off.",
        "In all, you owe nothing at the moment.",
    )
    assert written(paid=100_00, credit_goes="back").credit[1] == (
        "As you have moved out, $9.30 will be paid back to you. Please tell billing@example.org to which account."
    )
    assert written().credit == written(status="CANCELLED", paid=100_00).credit == ()


def test_names_in_braces_are_only_names():
    odd = written(tenant_name="{day} {0}", copy=COPY._replace(unit_label="{"), number="{number}")
    assert odd.facts[0][1] == ("{day} {0}",)


def names_in(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def texts_in(value: object) -> list[str]:
    """Every text of a field of `Texts`, without those that a split method leaves empty."""
    if isinstance(value, Printed):
        return [text for text in value if text]
    return [text for one in value.values() for text in texts_in(one)] if isinstance(value, dict) else [str(value)]


@pytest.mark.parametrize("texts", LANGUAGES.values(), ids=LANGUAGES)
def test_every_language_says_everything_and_names_the_same(texts: Texts):
    for name, english in ENGLISH._asdict().items():
        other = getattr(texts, name)
        assert not isinstance(english, dict) or list(english) == list(other)
        for ours, theirs in zip(texts_in(english), texts_in(other), strict=True):
            assert theirs.strip()
            assert names_in(ours) == names_in(theirs), name


@pytest.mark.parametrize("texts", LANGUAGES.values(), ids=LANGUAGES)
@pytest.mark.parametrize("method", METHODS)
def test_every_method_is_said_in_every_language(texts: Texts, method: str):
    for unit in ("u1", "u4"):
        says = written(texts, charges=charges(line(320_10), rule=water(method), unit=unit))
        assert says.charges[0].name == texts.utilities["WATER"]
        assert "{" not in str(says.charges)


def every_text(texts: Texts) -> list[str]:
    return [one for each in texts for one in texts_in(each)]


def test_a_german_sentence_after_a_colon_begins_with_a_capital():
    after = [text.partition(": ")[2] for text in every_text(GERMAN) if ": " in text and text.endswith(".")]
    after = [text for text in after if not text.startswith(("{used}", "{changes}", "{charges}"))]  # a number, names
    assert len(after) == len(METHODS) + 1, "how each divides, and your days"
    assert not [text for text in [*after, GERMAN.withdrawn.partition(": ")[2]] if text[0].islower()]


@pytest.mark.parametrize("texts", [ENGLISH, GERMAN, SPANISH, FRENCH])
def test_no_text_has_a_word_for_a_cent_which_not_every_currency_has(texts):
    words = {word.lower() for text in every_text(texts) for word in re.findall(r"(?<!\{)\b\w+", text)}
    assert words & {"cent", "cents", "céntimo", "céntimos", "centavo", "centavos", "centime", "centimes"} == set()


def test_a_french_month_that_begins_with_a_vowel_needs_no_elision():
    assert not [text for text in every_text(FRENCH) if "de {month}" in text]


@pytest.mark.parametrize("texts", LANGUAGES.values(), ids=LANGUAGES)
def test_whom_to_tell_may_be_a_telephone_number(texts: Texts):
    phone = COPY._replace(biller=Biller("Harbor Rentals", "", "+49 30 1234567"))
    sentence = written(texts, copy=phone).sections[-1].sentences[0]
    starts = {"en": "Contact ", "de": "Wenden Sie sich an ", "es": "Diríjase a ", "fr": "Adressez-vous à "}
    assert sentence.startswith(tuple(f"{start}+49 30 1234567." for start in starts.values()))


def test_an_other_line_is_named_as_other():
    rule = Rule("OTHER", "EQUAL", {}, Fraction(0), Fraction(0))
    assert written(charges=charges(line(90_00, "OTHER"), rule=rule)).charges[0].name == "Other"


def test_the_copy_reads_back_and_one_from_before_locales_takes_the_account_s():
    assert from_json(to_json(COPY, "Ann"), "de-DE") == COPY
    old = to_json(COPY, "Ann").replace(', "locale": "en-US"', "")
    assert "locale" not in old
    assert from_json(old, "de-DE") == COPY._replace(locale="de-DE")


@pytest.mark.parametrize(
    ("texts", "usual", "final"),
    [
        (ENGLISH, "Invoice", "Final invoice"),
        (GERMAN, "Rechnung", "Schlussrechnung"),
        (SPANISH, "Factura", "Factura final"),
        (FRENCH, "Facture", "Facture finale"),
    ],
)
def test_a_final_invoice_says_so_in_its_heading_and_title(texts, usual, final):
    assert (written(texts).heading, written(texts).title) == (usual, f"{usual} MAPLE-2B-2026-03")
    last = written(texts, copy=COPY._replace(is_final=True))
    assert (last.heading, last.title) == (final, f"{final} MAPLE-2B-2026-03")
    assert from_json(to_json(COPY._replace(is_final=True), "Ann"), "en-US").is_final
