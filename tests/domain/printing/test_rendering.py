"""What an invoice says, in every state and language; money and days in plain forms that the test brings along."""

import string
from datetime import date
from fractions import Fraction

import pytest

from prorata.domain.billing_calendar import Month
from prorata.domain.money import in_words, quantity
from prorata.domain.printing.languages import LANGUAGES
from prorata.domain.printing.printed_invoices import (
    Biller,
    Copy,
    Place,
    PrintedCharge,
    PrintedInvoice,
    from_json,
    to_json,
)
from prorata.domain.printing.rendering import write
from prorata.domain.printing.texts import Texts
from prorata.domain.printing.translations import ENGLISH, FRENCH, GERMAN, SPANISH
from prorata.domain.splitting import planned_invoices
from prorata.domain.splitting.explanations import explain
from prorata.domain.splitting.share_rules import Rule
from prorata.domain.splitting.split_methods import METHODS, Printed
from prorata.domain.splitting.stays import LineDays, Stay, UnitFacts
from tests.domain.splitting.houses import plan_month
from tests.domain.splitting.test_explanations import HALVES, HOUSE, water
from tests.domain.splitting.test_planned_charges import facts, line

COPY = Copy(
    Biller("Harbor Rentals", "400 Harbor Road\n\nDuluth", "billing@example.org"),
    Place("Maple Court", "12", "Main Street", "Springfield", "IL", "62701", "US"),
    "2B",
    "USD",
    "en-US",
)


class PlainForms:
    """Amounts as sentences have them, days in ISO."""

    def money(self, cents: int, currency: str) -> str:
        return in_words(cents, currency)

    def day(self, day: date) -> str:
        return day.isoformat()

    def month(self, month: Month) -> str:
        return month

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


def said(**rules):
    """The lines of the explanation of one charge."""
    (charge,) = written(charges=charges(**rules) if "unit" in rules else charges(line(320_10), **rules)).charges
    return [one.text for one in charge.lines]


def test_a_charge_says_its_bill_its_arithmetic_and_the_owner_s_part():
    (charge,) = written().charges
    assert (charge.name, charge.amount) == ("Water", "$90.70")
    assert charge.source == "Aqua Water Co., bill of 2026-03-14: $320.10"
    assert [one.text for one in charge.lines] == [
        "Divided by floor area: this unit has 850 of 3,000 sq ft.",
        "$320.10 × 850 ÷ 3,000 = $90.70",
    ]
    assert [one.is_sum for one in charge.lines] == [False, True]


@pytest.mark.parametrize(
    ("texts", "in_germany", "in_the_us"),
    [
        (ENGLISH, "850 of 3,000 m².", "850 of 3,000 sq ft."),
        (GERMAN, "850 von 3,000 m².", "850 von 3,000 Quadratfuß."),
        (SPANISH, "850 de 3,000 m².", "850 de 3,000 pies cuadrados."),
        (FRENCH, "850 m² sur 3,000.", "850 pieds carrés sur 3,000."),
    ],
)
def test_floor_areas_are_told_as_where_the_property_lies_with_the_numbers_of_the_sum(
    texts: Texts, in_germany: str, in_the_us: str
):
    there = COPY._replace(place=COPY.place._replace(country="DE"))
    for copy, told in ((there, in_germany), (COPY, in_the_us)):
        (charge,) = written(texts, copy=copy).charges
        assert charge.lines[0].text.endswith(told)
        assert charge.lines[1].text == "$320.10 × 850 ÷ 3,000 = $90.70"


def test_a_reason_that_can_t_be_worked_out_again_is_told_in_the_same_unit():
    unexplained = [charge._replace(explanation=None) for charge in charges(line(320_10))]
    there = COPY._replace(place=COPY.place._replace(country="DE"))
    (charge,) = written(charges=unexplained, copy=there).charges
    assert charge.source == "Aqua Water Co., bill of 2026-03-14, $320.10: 850 of 3,000 m²"


def test_the_owner_s_percent_stands_in_the_sum():
    assert said(rule=water("PERCENTAGE", owner=10)) == [
        "The owner's 10% comes off first.",
        "Divided by percentages: this unit pays 40%.",
        "$320.10 × 90% × 40% = $115.24",
        "The owner's part of $320.10 is $104.03.",
    ]


def test_an_equal_part_is_a_division_and_a_cent_more_is_said():
    assert said(rule=water("EQUAL"))[:2] == ["Divided equally: this unit is 1 of 4.", "$320.10 ÷ 4 = $80.03"]
    (charge,) = written(charges=charges(line(90_01), rule=water("EQUAL"))).charges
    more = "$90.01 ÷ 4 = $22.50, and one cent more, so that all shares add up to the bill: $22.51"
    assert [one.text for one in charge.lines][1:] == [more]
    (charge,) = written(charges=charges(line(320_10), rule=water("EQUAL"), unit="u4")).charges
    less = "$320.10 ÷ 4 = $80.03, and one cent less, so that all shares add up to the bill: $80.02"
    assert charge.lines[1].text == less


def test_a_blend_says_each_of_its_parts():
    assert said(rule=water("CUSTOM", blend=HALVES)) == [
        "50%: Divided by floor area: this unit has 850 of 3,000 sq ft.",
        "$320.10 × 50% = $160.05;  $160.05 × 850 ÷ 3,000 = $45.35",
        "50%: Divided by the days people lived here: 62 of 124 person-days.",
        "People × days here: 2 × 31 = 62.",
        "$320.10 × 50% = $160.05;  $160.05 × 62 ÷ 124 = $80.03",
        "$45.35 + $80.03 = $125.38",
    ]


def test_people_who_were_only_assumed_are_said_to_the_neighbours_and_to_the_vacant_unit():
    rule, others = water("OCCUPANTS", vacant=2), "Of the {} person-days {} are assumed, for units that nobody lived in."
    sums = ["Divided by the days people lived here: 62 of 186 person-days.", "$320.10 × 62 ÷ 186 = $106.70"]

    def lines(unit, units=HOUSE, rule=rule):
        (charge,) = written(charges=charges(line(320_10), rule=rule, unit=unit, units=units)).charges
        return [one.text for one in charge.lines]

    people, here = "People × days here: 2 × 31 = 62.", "Nobody lived in this unit, so its person-days are assumed."
    assert lines("u1") == [sums[0], people, others.format(186, 62), sums[1]]
    assert lines("u3") == [sums[0], here, sums[1]]
    two_vacant = [unit._replace(stays=()) if unit.unit_id == "u4" else unit for unit in HOUSE]
    assert lines("u3", two_vacant)[1:3] == [here, others.format(217, 124)]
    assert lines("u1", rule=water("CUSTOM", blend=HALVES, vacant=2))[4] == others.format(186, 62)
    assert "assumed" not in str(lines("u1", rule=water("OCCUPANTS")))


def test_a_line_of_a_combined_bill_says_the_whole_bill_and_what_was_guessed():
    (charge,) = written(charges=charges(line(90_00, total=270_00, guessed=True))).charges
    assert charge.source == "Aqua Water Co., bill of 2026-03-14: $270.00, of which $90.00 is for this"
    assert charge.lines[0].text == ENGLISH.guessed


def test_what_is_not_entered_is_said_instead_of_a_measure():
    (charge,) = written(charges=charges(line(90_00), rule=water("BEDROOMS"), unit="u4")).charges
    assert charge.lines[0].text == "The bedrooms of this unit are not entered, so they count as 0."


def test_a_charge_without_an_explanation_says_what_is_stored():
    stored = PrintedCharge("TRASH", 17_00, "City, bill of 2026-03-14, $68.00: weight 1 of 4")
    by_hand = PrintedCharge(None, 25_00, "A new key")
    garbage, key = written(charges=(stored, by_hand)).charges
    assert (garbage.name, garbage.source, garbage.lines) == ("Garbage", stored.description, ())
    assert (key.name, key.source, key.amount) == ("A new key", "", "$25.00")


@pytest.mark.parametrize(
    ("other", "standing", "figure", "sections"),
    [
        ({}, "due", "$90.70", ["How to pay", "Is something wrong?"]),
        ({"paid": 40_00}, "due", "$50.70", ["How to pay", "Is something wrong?"]),
        ({"status": "OVERDUE"}, "overdue", "$90.70", ["How to pay", "Is something wrong?"]),
        ({"status": "PAID", "paid": 90_70, "paid_on": date(2026, 4, 9)}, "paid", "$90.70", ["Is something wrong?"]),
        ({"paid": 100_00}, "credit", "$9.30", ["Credit in your favour", "Is something wrong?"]),
        ({"charges": charges(line(-84_37))}, "credit", "$23.90", ["Credit in your favour", "Is something wrong?"]),
        ({"charges": ()}, "settled", "$0.00", ["Is something wrong?"]),
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


def test_a_link_is_paid_by_and_without_one_the_biller_is_asked():
    pay = written(payment_link="https://pay.example.org/1").sections[0]
    assert (pay.link, "MAPLE-2B-2026-03" in pay.alt) == ("https://pay.example.org/1", True)
    pay = written().sections[0]
    assert pay.link is None
    assert pay.sentences == (
        "Pay $90.70 to Harbor Rentals and give the invoice number MAPLE-2B-2026-03.",
        "For payment details ask billing@example.org.",
    )


def test_a_biller_without_a_contact_is_asked_by_name():
    nameless = COPY._replace(biller=Biller("Harbor Rentals", "", " \n "))
    assert written(copy=nameless).sections[1].sentences[0].startswith("Tell Harbor Rentals.")


def test_totals_are_total_paid_and_balance_and_a_cancelled_invoice_has_no_balance():
    assert written(paid=40_00).totals == (("Total", "$90.70"), ("Paid", "$40.00"), ("Balance", "$50.70"))
    assert [name for name, _ in written(status="CANCELLED").totals] == ["Total", "Paid"]


def test_what_was_carried_from_another_invoice_is_said_as_its_credit_and_not_as_paid():
    one = ("A-1-2026-01", 30_00)
    assert written(paid=40_00, credits=(one,)).totals == (
        ("Total", "$90.70"), ("Credit from invoice A-1-2026-01", "$30.00"), ("Paid", "$10.00"), ("Balance", "$50.70"),
    )  # fmt: skip
    covered = written(paid=90_70, credits=(one, ("A-1-2026-02", 60_70)))
    assert [name for name, _ in covered.totals] == [
        "Total", "Credit from invoice A-1-2026-01", "Credit from invoice A-1-2026-02", "Balance",
    ]  # fmt: skip


def test_names_in_braces_are_only_names():
    odd = written(tenant_name="{day} {0}", copy=COPY._replace(unit_label="{"), number="{number}")
    assert odd.facts[0][1] == ("{day} {0}",)


def test_a_line_of_a_bill_that_is_spread_over_its_months_says_its_days():
    spread = line(160_05, total=320_10)._replace(days=31, of_days=62)
    (charge,) = written(charges=charges(spread)).charges
    assert charge.source.endswith("$320.10, of which $160.05 is for this, for 31 of its 62 days")
    assert written(GERMAN, charges=charges(spread)).charges[0].source.endswith(" hierfür, für 31 von 62 Tagen")


def flat(*stays):
    return UnitFacts("u1", "1", Fraction(850), None, None, None, tuple(Stay(*stay) for stay in stays))


def at_the_end(one, unit, rule=None):
    """The charge of a line to whoever lives in a unit at the end of the month."""
    month = facts(one, rules=[rule or water("SQFT")], units=(unit,))
    (charge,) = planned_invoices.plan_month(month, {}, ()).drafts["u1", 0].charges
    return PrintedCharge(charge.utility_type, charge.amount, charge.description, explain(month, "u1", charge))


def test_person_days_are_told_by_people_and_days_and_a_moving_day_only_where_there_was_one():
    moved = (("ann", None, date(2026, 3, 15)), ("bo", date(2026, 3, 16), None, 4))
    charge = at_the_end(line(79_00), flat(*moved), rule=water("OCCUPANTS"))
    lines = [one.text for one in written(charges=(charge,)).charges[0].lines]
    assert "For 2026-03-01 to 2026-03-31; yours are 2026-03-16 to 2026-03-31." in lines
    assert "People × days here: 4 × 16 = 64." in lines
    assert "Of the 79 person-days of this unit, 64 are yours." in lines
    german = [one.text for one in written(GERMAN, charges=(charge,)).charges[0].lines]
    assert "Von den 79 Personentagen dieser Einheit sind 64 Ihre." in german
    together = (("ann", None, date(2026, 3, 15)), ("bo", None, None, 4))
    charge = at_the_end(line(79_00), flat(*together), rule=water("OCCUPANTS"))
    lines = [one.text for one in written(charges=(charge,)).charges[0].lines]
    assert "People × days here: 1 × 15 + 4 × 31 = 139." in lines


@pytest.mark.parametrize(("first", "said"), [(15, " A day of moving counts for both."), (17, "")])
def test_a_moving_day_is_named_where_a_day_counts_for_two_households(first, said):
    moved = (("ann", None, date(2026, 3, 15)), ("bo", date(2026, 3, first), None))
    charge = at_the_end(line(310_00), flat(*moved))
    lines = [one.text for one in written(charges=(charge,)).charges[0].lines]
    days, whole = (17, 32) if first == 15 else (15, 31)
    assert f"Of the days that this share is for, {days} of {whole} are yours.{said}" in lines


def test_an_invoice_of_whom_no_day_is_says_so_and_no_number_of_days():
    moved = (("ann", None, date(2026, 3, 15)), ("bo", date(2026, 3, 20), None))
    early = line(150_00)._replace(service=LineDays(date(2026, 2, 10), date(2026, 3, 9)))
    charge = at_the_end(early, flat(*moved))
    lines = [one.text for one in written(charges=(charge,)).charges[0].lines]
    assert lines[0] == "For 2026-02-10 to 2026-03-09."
    assert "None of the days that this share is for is yours." in lines
    assert "0 of 28" not in " ".join(lines)


def names_in(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def texts_in(value: object) -> list[str]:
    """Every text of a field of `Texts`; what a split method has nothing to say of is left out."""
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
    assert len(after) == len(METHODS)
    assert not [text for text in [*after, GERMAN.withdrawn.partition(": ")[2]] if text[0].islower()]


def test_spanish_has_one_word_for_a_cent():
    assert not [text for text in every_text(SPANISH) if "centavo" in text]
    assert sum("céntimo" in text for text in every_text(SPANISH)) == 2


def test_a_french_month_that_begins_with_a_vowel_needs_no_elision():
    assert not [text for text in every_text(FRENCH) if "de {month}" in text]


@pytest.mark.parametrize("texts", LANGUAGES.values(), ids=LANGUAGES)
def test_whom_to_tell_may_be_a_telephone_number(texts: Texts):
    phone = COPY._replace(biller=Biller("Harbor Rentals", "", "+49 30 1234567"))
    sentence = written(texts, copy=phone).sections[-1].sentences[0]
    starts = {"en": "Tell ", "de": "Wenden Sie sich an ", "es": "Diríjase a ", "fr": "Adressez-vous à "}
    assert sentence.startswith(tuple(f"{start}+49 30 1234567." for start in starts.values()))


def test_an_other_line_is_named_as_other():
    rule = Rule("OTHER", "EQUAL", {}, Fraction(0), Fraction(0))
    assert written(charges=charges(line(90_00, "OTHER"), rule=rule)).charges[0].name == "Other"


def test_the_copy_reads_back_and_one_from_before_locales_takes_the_account_s():
    assert from_json(to_json(COPY, "Ann"), "de-DE") == COPY
    old = to_json(COPY, "Ann").replace(', "locale": "en-US"', "")
    assert "locale" not in old
    assert from_json(old, "de-DE") == COPY._replace(locale="de-DE")
