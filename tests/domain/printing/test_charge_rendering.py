"""An invoice describes each charge.

It states the bill, the arithmetic, and the people and days that were counted.
"""

from datetime import date
from decimal import Decimal
from fractions import Fraction

import pytest

from prorata.domain.billing_calendar import Month
from prorata.domain.printing.earlier_amounts import Then
from prorata.domain.printing.printed_invoices import PrintedCharge
from prorata.domain.printing.rendering import write
from prorata.domain.printing.texts import Texts
from prorata.domain.printing.translations import ENGLISH, FRENCH, GERMAN, SPANISH
from prorata.domain.splitting import planned_invoices
from prorata.domain.splitting.explanations import explain
from prorata.domain.splitting.month_facts import Line
from prorata.domain.splitting.stays import LineDays, Stay, UnitFacts
from prorata.domain.usage import Usage
from tests.domain.printing.test_rendering import COPY, PlainForms, charges, invoice, written
from tests.domain.splitting.houses import unit_with
from tests.domain.splitting.test_explanations import HALVES, HOUSE, water
from tests.domain.splitting.test_planned_charges import facts, line


def said(**rules):
    """The lines of one charge's explanation."""
    (charge,) = written(charges=charges(**rules) if "unit" in rules else charges(line(320_10), **rules)).charges
    return [one.text for one in charge.lines]


def test_a_charge_says_its_bill_its_arithmetic_and_the_owner_s_part():
    (charge,) = written().charges
    assert (charge.name, charge.period, charge.amount) == ("Water", "2026-03-01 to 2026-03-31", "$90.70")
    assert charge.source == "Aqua Water Co., bill of 2026-03-14: $320.10"
    assert [one.text for one in charge.lines] == [
        "Divided by floor area: this unit has 850 of the property’s 3,000 sq ft.",
        "$320.10 × 850 ÷ 3,000 = $90.70",
    ]
    assert [one.is_sum for one in charge.lines] == [False, True]


@pytest.mark.parametrize(
    ("texts", "with_price", "without"),
    [
        (ENGLISH, "Usage: 1,412.5\xa0kWh at USD 0.284 each.", "Usage: 1,412.5\xa0kWh."),
        (GERMAN, "Verbrauch: 1,412.5\xa0kWh zu je USD 0.284.", "Verbrauch: 1,412.5\xa0kWh."),
        (SPANISH, "Consumo: 1,412.5\xa0kWh a USD 0.284 cada uno.", "Consumo: 1,412.5\xa0kWh."),
        (FRENCH, "Consommation\xa0: 1,412.5\xa0kWh à USD 0.284 l’unité.", "Consommation\xa0: 1,412.5\xa0kWh."),
    ],
)
def test_what_the_bill_says_was_used_is_said_where_it_says_it(texts: Texts, with_price: str, without: str):
    used = Usage(Decimal("1412.5"), "kWh", Decimal("0.284"))
    for usage, told in ((used, with_price), (used._replace(price=None), without)):
        (charge,) = written(texts, charges=charges(line(320_10)._replace(usage=usage))).charges
        (plain,) = written(texts).charges
        assert charge.used == told
        assert charge._replace(used="") == plain, "nothing else is said otherwise"


def test_what_of_the_bill_is_not_for_usage_is_said_unless_it_is_rounding_or_unknown():
    used = Usage(Decimal(1390), "kWh", Decimal("0.34"))
    of_bill = line(493_90)._replace(usage=used)

    def says(its: Line) -> str:
        return written(charges=charges(its)).charges[0].used

    assert says(of_bill) == "1,390\xa0kWh × USD 0.34 + $21.30 not for usage."
    plain = "Usage: 1,390\xa0kWh at USD 0.34 each."
    for other in (
        of_bill._replace(amount=479_00),
        of_bill._replace(guessed=True),
        of_bill._replace(days=31, of_days=61),
    ):
        assert says(other) == plain


@pytest.mark.parametrize(
    ("texts", "in_germany", "in_the_us"),
    [
        (ENGLISH, "850 of the property’s 3,000 m².", "850 of the property’s 3,000 sq ft."),
        (GERMAN, "850 von insgesamt 3,000 m².", "850 von insgesamt 3,000 Quadratfuß."),
        (SPANISH, "850 de los 3,000 m² del inmueble.", "850 de los 3,000 pies cuadrados del inmueble."),
        (FRENCH, "850 des 3,000 m² de l’immeuble.", "850 des 3,000 pieds carrés de l’immeuble."),
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
        "The owner’s 10% comes off first.",
        "Divided by percentages: this unit pays 40%.",
        "$320.10 × 90% × 40% = $115.24",
        "Including that percentage, the owner pays $104.03 of $320.10.",
    ]


def test_an_equal_part_is_a_division_and_a_cent_more_is_said():
    assert said(rule=water("EQUAL"))[:2] == [
        "Divided equally: this unit pays 1 of 4 equal shares.",
        "$320.10 ÷ 4 = $80.03",
    ]
    (charge,) = written(charges=charges(line(90_01), rule=water("EQUAL"))).charges
    more = "$90.01 ÷ 4 = $22.50, and $0.01 more, so that all shares add up to the bill: $22.51"
    assert [one.text for one in charge.lines][1:] == [more]
    (charge,) = written(charges=charges(line(320_10), rule=water("EQUAL"), unit="u4")).charges
    less = "$320.10 ÷ 4 = $80.03, and $0.01 less, so that all shares add up to the bill: $80.02"
    assert charge.lines[1].text == less


def test_a_blend_says_each_of_its_parts():
    assert said(rule=water("CUSTOM", blend=HALVES)) == [
        "50%: Divided by floor area: this unit has 850 of the property’s 3,000 sq ft.",
        "$320.10 × 50% = $160.05;  $160.05 × 850 ÷ 3,000 = $45.35",
        "50%: Divided by people × days: this unit has 2 people × 31 days = 62, all units together 124.",
        "Vacant units don’t count: the others pay their part.",
        "$320.10 × 50% = $160.05;  $160.05 × 62 ÷ 124 = $80.03",
        "$45.35 + $80.03 = $125.38",
    ]


def test_people_who_were_only_assumed_are_said_to_the_neighbours_and_to_the_vacant_unit():
    rule, others = (
        water("OCCUPANTS", vacant=2),
        "Of these {} person-days, {} are assumed for vacant units.",
    )
    how, result = (
        "Divided by people × days: this unit has {}, all units together 186.",
        "$320.10 × 62 ÷ 186 = $106.70",
    )

    def lines(unit, units=HOUSE, rule=rule):
        (charge,) = written(charges=charges(line(320_10), rule=rule, unit=unit, units=units)).charges
        return [one.text for one in charge.lines]

    here = "Nobody lived in this unit, so its days are assumed."
    assert lines("u1") == [how.format("2 people × 31 days = 62"), others.format(186, 62), result]
    assert lines("u3") == [how.format("62"), here, result]
    two_vacant = [unit._replace(stays=()) if unit.unit_id == "u4" else unit for unit in HOUSE]
    assert lines("u3", two_vacant)[1:3] == [here, others.format(217, 124)]
    assert lines("u1", rule=water("CUSTOM", blend=HALVES, vacant=2))[3] == others.format(186, 62)
    nobody = "Vacant units don’t count: the others pay their part."
    assert lines("u1", rule=water("OCCUPANTS"))[1] == nobody
    assert nobody not in lines("u1", [unit for unit in HOUSE if unit.unit_id != "u3"], water("OCCUPANTS"))


def test_that_vacant_units_do_not_count_is_said_once_of_all_charges_for_which_it_holds():
    (of_water,) = charges(line(320_10), rule=water("OCCUPANTS"))
    (of_area,) = charges(line(320_10), rule=water("SQFT"))
    its = (of_area._replace(utility_type="GAS"), of_water._replace(utility_type="SEWER"), of_water)
    said = [[one.text for one in charge.lines] for charge in written(charges=its).charges]
    nobody = "Vacant units don’t count: the others pay their part. This also applies to Water."
    assert [nobody in lines for lines in said] == [False, True, False]
    assert sum("the others pay their part" in text for lines in said for text in lines) == 1


def test_a_line_of_a_combined_bill_says_the_whole_bill_and_what_was_guessed():
    (charge,) = written(charges=charges(line(90_00, total=270_00, guessed=True))).charges
    assert charge.source == "Aqua Water Co., bill of 2026-03-14: $270.00, of which $90.00 is for water"
    assert charge.lines[0].text == ENGLISH.guessed
    (own,) = charges(line(90_00, total=270_00))
    assert written(charges=(own._replace(own_name="Heating oil"),)).charges[0].source.endswith("is for Heating oil")


def test_what_is_not_entered_is_said_instead_of_a_measure():
    (charge,) = written(charges=charges(line(90_00), rule=water("BEDROOMS"), unit="u4")).charges
    assert charge.lines[0].text == "The bedrooms of this unit are not entered, so they count as 0."


def test_beside_each_amount_stand_those_of_a_month_and_a_year_before_where_any_are():
    water, gas, key = (
        PrintedCharge("WATER", 90_70, "…"),
        PrintedCharge("GAS", 5_00, "…"),
        PrintedCharge(None, 1_00, "Key"),
    )
    last = Then(88_10), Then(95_02)
    says = written(charges=(water._replace(earlier=last), gas._replace(earlier=(Then(0), Then())), key))
    assert says.earlier == ("2026-02", "2025-03")
    assert [one.earlier for one in says.charges] == [
        (("2026-02", "$88.10"), ("2025-03", "$95.02")),
        (("2026-02", "$0.00"), ("2025-03", "")),
        (("2026-02", ""), ("2025-03", "")),
    ]
    assert says.charges[0].compared == ("2026-02: $88.10", "2025-03: $95.02")
    billed = written(charges=(water._replace(earlier=(Then(88_10, 176_20), Then(95_02))), gas))
    assert [one.compared for one in billed.charges] == [("2026-02: $88.10 of $176.20 billed", "2025-03: $95.02"), ()]
    (explained,) = charges(line(320_10))
    parts = Then(88_10, part="850:3000"), Then(95_02, part="77/2:3261/2")
    divided = written(charges=(explained._replace(earlier=parts),))
    assert divided.charges[0].compared == (
        "2026-02: $88.10",
        "2025-03: $95.02; this unit’s part was 38.5 of 1,630.5 then",
    )
    parts = Then(88_10, part="850:3001:SQFT"), Then(95_02, part="3:32:BEDROOMS")
    divided = written(charges=(explained._replace(earlier=parts),))
    assert divided.charges[0].compared == (
        "2026-02: $88.10; this unit’s part was 850 of 3,001 sq ft then",
        "2025-03: $95.02; divided otherwise then: this unit’s part was 3 of 32 bedrooms",
    )
    same, equal = Then(88_10, part="850:3000:SQFT"), Then(95_02, part="17:60:CUSTOM")
    assert written(charges=(explained._replace(earlier=(same, equal)),)).charges[0].compared == (
        "2026-02: $88.10", "2025-03: $95.02; divided otherwise then: this unit’s part was weight 17 of 60",
    )  # fmt: skip
    percent = Then(), Then(95_02, part="25/2:100:PERCENTAGE")
    (said,) = written(charges=(explained._replace(earlier=percent),)).charges[0].compared
    assert said.endswith("this unit’s part was 12.5%")
    last_year = written(charges=(water._replace(earlier=(Then(), Then(95_02))), gas))
    assert last_year.earlier == ("2025-03",)
    assert [one.earlier for one in last_year.charges] == [(("2025-03", "$95.02"),), (("2025-03", ""),)]
    assert written(charges=(water, gas)).earlier == ()


def test_a_charge_without_an_explanation_says_what_is_stored():
    stored = PrintedCharge("TRASH", 17_00, "City, bill of 2026-03-14, $68.00: weight 1 of 4")
    by_hand = PrintedCharge(None, 25_00, "A new key")
    garbage, key = written(charges=(stored, by_hand)).charges
    assert (garbage.name, garbage.period, garbage.source, garbage.lines) == (
        "Refuse collection",
        "",
        stored.description,
        (),
    )
    dated = stored._replace(days=LineDays(date(2026, 2, 10), date(2026, 3, 9)))
    assert written(charges=(dated,)).charges[0].period == "2026-02-10 to 2026-03-09"
    assert (key.name, key.source, key.amount) == ("A new key", "", "$25.00")


def test_a_line_of_a_bill_that_is_spread_over_its_months_says_its_days():
    spread = line(160_05, total=320_10)._replace(days=31, of_days=62)
    (charge,) = written(charges=charges(spread)).charges
    assert charge.source.endswith("$320.10, of which $160.05 is for water, for 31 of its 62 days")
    assert written(GERMAN, charges=charges(spread)).charges[0].source.endswith(" für Wasser, für 31 von 62 Tagen")


def flat(*stays):
    return UnitFacts("u1", "1", Fraction(850), None, None, None, tuple(Stay(*stay) for stay in stays))


def at_the_end(one, unit, rule=None):
    """A line's charge to the household that is in the unit at the month's end."""
    month = facts(one, rules=[rule or water("SQFT")], units=(unit,))
    (charge,) = planned_invoices.plan_month(month, {}, ()).drafts["u1", 0].charges
    return PrintedCharge(charge.utility_type, charge.amount, charge.description, explain(month, "u1", charge))


def test_person_days_are_told_by_people_and_days_and_a_moving_day_only_where_there_was_one():
    moved = (("ann", None, date(2026, 3, 15)), ("bo", date(2026, 3, 16), None, 4))
    charge = at_the_end(line(79_00), flat(*moved), rule=water("OCCUPANTS"))
    lines = [one.text for one in written(charges=(charge,)).charges[0].lines]
    assert lines[0] == "Your days: 2026-03-16 to 2026-03-31."
    assert lines[1:] == [
        "Divided by people × days: this unit has 79, all units together 79.", "$79.00 × 79 ÷ 79 = $79.00",
        "Of this unit’s 79 people × days, yours are 4 people × 16 days = 64.", "$79.00 × 64 ÷ 79 = $64.00",
    ]  # fmt: skip
    german = [one.text for one in written(GERMAN, charges=(charge,)).charges[0].lines]
    assert "Von den 79 Personen × Tagen dieser Einheit entfallen auf Sie 4 Personen × 16 Tage = 64." in german
    together = (("ann", None, date(2026, 3, 15)), ("bo", None, None, 4))
    charge = at_the_end(line(79_00), flat(*together), rule=water("OCCUPANTS"))
    lines = [one.text for one in written(charges=(charge,)).charges[0].lines]
    said = "Divided by people × days: this unit has {}, all units together 139."
    assert said.format("1 person × 15 days + 4 people × 31 days = 139") in lines


def test_somebody_who_is_not_counted_is_told_as_no_people_and_not_as_nobody():
    moved = (("ann", None, date(2026, 3, 15)), ("bo", date(2026, 3, 16), None, 0))
    lines = [
        one.text
        for one in written(charges=(at_the_end(line(79_00), flat(*moved), rule=water("OCCUPANTS")),)).charges[0].lines
    ]
    assert "Of this unit’s 15 people × days, yours are 0 people × 16 days = 0." in lines
    house = (flat(("ann", None, None, 0)), unit_with("u2", "2", None, None, 31, 31))
    (nothing,) = charges(line(79_00), rule=water("OCCUPANTS"), units=house)
    lines = [one.text for one in written(charges=(nothing,)).charges[0].lines]
    assert lines == [
        "Divided by people × days: this unit has 0 people × 31 days = 0, all units together 31.",
        "$79.00 × 0 ÷ 31 = $0.00",
    ]


@pytest.mark.parametrize(("first", "said"), [(15, " A day of moving counts for both."), (17, "")])
def test_a_moving_day_is_named_where_a_day_counts_for_two_households(first, said):
    moved = (("ann", None, date(2026, 3, 15)), ("bo", date(2026, 3, first), None))
    charge = at_the_end(line(310_00), flat(*moved))
    lines = [one.text for one in written(charges=(charge,)).charges[0].lines]
    days, whole = (17, 32) if first == 15 else (15, 31)
    assert f"This share covers {whole} days; {days} of them are yours.{said}" in lines


def test_an_invoice_of_whom_no_day_is_says_so_and_nothing_else():
    moved = (("ann", None, date(2026, 3, 15)), ("bo", date(2026, 3, 20), None))
    early = line(150_00)._replace(service=LineDays(date(2026, 2, 10), date(2026, 3, 9)))
    charge = at_the_end(early, flat(*moved))
    (said,) = written(charges=(charge,)).charges
    assert said.period == "2026-02-10 to 2026-03-09"
    assert said.amount == "$0.00"
    assert [one.text for one in said.lines] == ["You didn’t live here on any day that this share covers."]


CORRECTION = (
    "Correction of March 2026: Aqua: Water, bill of 2026-03-20: $1,192.06 was charged; -$65.06 is right: 600 of "
    "1,000 sq ft, 14 of 31 days (a day of moving counts for both), after the owner's 5%"
)


@pytest.mark.parametrize(
    ("texts", "name", "source", "says"),
    [
        (ENGLISH, "Water: Correction for 2026-03", "Aqua: Water, bill of 2026-03-20", "$1,192.06 was charged; it should have been -$65.06."),
        (GERMAN, "Wasser: Korrektur für 2026-03", "Aqua: Water, Beleg vom 2026-03-20", "richtig sind -$65.06."),
        (SPANISH, "Agua: Corrección de 2026-03", "Aqua: Water, recibo del 2026-03-20", "lo correcto es -$65.06."),
        (FRENCH, "Eau\xa0: Correction, 2026-03", "Aqua: Water, facture du 2026-03-20", "le montant juste est de -$65.06."),
    ],
)  # fmt: skip
def test_a_correction_is_said_in_the_language_of_the_invoice(texts: Texts, name: str, source: str, says: str):
    (charge,) = written(
        texts, charges=[PrintedCharge("WATER", -1_257_12, CORRECTION, corrects_month=Month("2026-02"))]
    ).charges
    assert (charge.name, charge.source, charge.amount) == (name, source, "-$1,257.12")
    lines = [one.text for one in charge.lines]
    assert lines[0].endswith(says)
    assert lines[1] == texts.percent_first.format(percent="5%")
    assert "600" in lines[2]
    assert lines[3] == f"{texts.days_here.format(days='14', whole='31')} {texts.moving_day}"
    assert len(lines) == 4


def test_a_correction_of_what_was_never_charged_says_so():
    added = CORRECTION.replace("$1,192.06 was", "$0.00 was")
    (charge,) = written(charges=[PrintedCharge("WATER", -65_06, added, corrects_month=Month("2026-02"))]).charges
    assert charge.lines[0].text == "Your part of this bill is -$65.06. So far, your charges for it come to $0.00."


class WholeMonths(PlainForms):
    """Whole months as a locale writes them: by their names."""

    def days(self, first: date, last: date) -> str:
        return str(first)[:7] if (first.day, last.day) == (1, 31) else super().days(first, last)


@pytest.mark.parametrize(("last", "period"), [(date(2026, 3, 31), ""), (date(2026, 3, 30), "2026-03-01 to 2026-03-30")])
def test_a_correction_of_a_bill_for_the_whole_month_names_the_month_once(last: date, period: str):
    days = LineDays(date(2026, 3, 1), last)
    corrected = PrintedCharge("WATER", -1_257_12, CORRECTION, days=days, corrects_month=Month("2026-02"))
    (charge,) = write(invoice(charges=[corrected]), ENGLISH, WholeMonths()).charges
    assert (charge.name, charge.period) == ("Water: Correction for 2026-03", period)


def test_a_correction_whose_reason_is_of_another_form_keeps_its_words():
    blend = CORRECTION.partition("is right: ")[0] + "is right: 60% by 1 of 2 units; 40% by 600 of 1,000 sq ft"
    (charge,) = written(GERMAN, charges=[PrintedCharge("WATER", 1_00, blend, corrects_month=Month("2026-02"))]).charges
    assert charge.lines[1].text == "60% by 1 of 2 units; 40% by 600 of 1,000 sq ft"
    again = (
        "Correction of March 2026: Aqua, bill of 2026-03-20: $14.00 was charged, which March 2026 charges itself again"
    )
    (charge,) = written(GERMAN, charges=[PrintedCharge(None, 1_00, again, corrects_month=Month("2026-02"))]).charges
    assert (charge.name, charge.lines[0].text) == (
        "Sonstiges: Korrektur für 2026-03", "$14.00 wurden berechnet; die Rechnung für 2026-03 berechnet das jetzt selbst neu."
    )  # fmt: skip


@pytest.mark.parametrize(
    "typed", [CORRECTION, CORRECTION.replace("03-20", "02-30"), CORRECTION.replace("600", "600/0")]
)
def test_a_charge_that_a_person_words_like_a_correction_keeps_its_words(typed: str):
    (charge,) = written(GERMAN, charges=[PrintedCharge(None, 1_00, typed)]).charges
    assert (charge.name, charge.lines) == (typed, ())


def test_a_changed_bill_is_a_reason_only_for_lines_whose_amounts_changed():
    (charge,) = charges(line(90_00, total=270_00))
    why = charge.explanation
    assert why is not None

    def says(amount: int) -> str:
        before = why._replace(line=why.line._replace(bill_total=300_00, amount=amount))
        (corrected,) = written(charges=(charge._replace(before=before),)).charges
        return " ".join(one.text for one in corrected.lines)

    assert "The bill came to" not in says(90_00)
    assert "The bill came to $300.00 and was corrected to $270.00." in says(120_00)
