"""What words beside amounts, above them and in sentences say that a bill comes to: what is not plain is asked."""

import pytest

from tests.bill_pdfs.drawn import Rows, bill, table

PLAIN = (("Water service", "100.00"), ("Sewer service", "240.00"), ("Amount due", "340.00"))
ELECTRIC, STROM = "Marram Electric", "Marram Strom GmbH"
IN_GROUPS = (
    ("Water", ""), ("Base charge", "20.00"), ("Usage", "80.00"),
    ("Sewer", ""), ("Base charge", "40.00"), ("Usage", "200.00"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "issuer", "lines"),
    [
        (
            (("Water service", "1", "100.00"), ("Sewer service", "1", "240.00"), ("Amount due", "2", "340.00")),
            "Marram Waterworks",
            {"SEWER": 24000, "WATER": 10000},
        ),
        ((("Garbage service", "1", "125.00"), ("Amount due", "1", "125.00")), "Marram Garbage", {"GARBAGE": 12500}),
        (
            (("Trash collection fee", "25.00"), ("Recycling service", "10.00"), ("Amount due", "35.00")),
            "Marram Disposal Services",
            {"GARBAGE": 3500},
        ),
        (
            (("Past due charges", "50.00"), *PLAIN[:2], ("Current charges", "340.00"), ("Amount due", "390.00")),
            "Marram Waterworks",
            {"PREVIOUS_BALANCE": 5000, "SEWER": 24000, "WATER": 10000},
        ),
        (
            (("Late payment fee", "5.00"), *PLAIN[:2], ("Amount due", "345.00")),
            "Marram Waterworks",
            {"LATE_FEE": 500, "SEWER": 24000, "WATER": 10000},
        ),
        (
            (("Water tier 1", "40.00"), ("Water tier 2", "60.00"), *PLAIN[1:]),
            "Marram Waterworks",
            {"SEWER": 24000, "WATER": 10000},
        ),
        ((("Gas charges", "100.00"), ("VAT 5%", "5.00"), ("Amount due", "105.00")), "Marram Gas", {"GAS": 10500}),
        (
            (("Energy charge 500 kWh @ 0.16", "80.00"), ("Electric base charge", "20.00"), ("Amount due", "100.00")),
            ELECTRIC,
            {"ELECTRICITY": 10000},
        ),
        ((("Trash service", "2 carts", "30.00"), ("Amount due", "", "30.00")), "Marram Trash", {"GARBAGE": 3000}),
        (
            (
                ("Service", "From", "To", "Amount"),
                ("Water", "09/18/2026", "10/17/2026", "100.00"),
                ("Sewer", "09/18/2026", "10/17/2026", "240.00"),
                ("Amount due", "", "", "340.00"),
            ),
            "Marram Waterworks",
            {"SEWER": 24000, "WATER": 10000},
        ),
        (
            (
                ("Description", "Usage", "Rate", "Amount"),
                ("Energy charge", "500 kWh", "0.16", "80.00"),
                ("Electric base charge", "", "", "20.00"),
                ("Amount due", "", "", "100.00"),
            ),
            ELECTRIC,
            {"ELECTRICITY": 10000},
        ),
    ],
)
def test_what_is_plain_is_found(rows: Rows, issuer: str, lines: dict[str, int]) -> None:
    draft = bill(rows, issuer=issuer)

    assert draft.total.value == sum(lines.values())
    assert {line.name: line.cents for line in draft.lines.value or ()} == lines


@pytest.mark.parametrize(
    "sentence",
    [
        "Your previous balance of \\$50.00 is unpaid. Please pay \\$390.00 by November 14.",
        "Bitte überweisen Sie 390,00 €", "We will withdraw \\$390.00 on November 14.", "Nous prélèverons 390,00 €",
    ],
)  # fmt: skip
@pytest.mark.parametrize("words", ["Total", "Total charges"])
def test_a_sentence_that_asks_for_another_amount_is_heard(sentence: str, words: str) -> None:
    assert bill((*PLAIN[:2], (words, "340.00")), extra=sentence).total.surety != "found"


@pytest.mark.parametrize("words", ["Grand total", "Please remit", "Balance", "Payable", "Net payable", "Sum"])
@pytest.mark.parametrize("before", ["Previous balance", "Balance forward"])
def test_an_amount_that_is_more_by_what_was_carried_over_may_be_the_total(words: str, before: str) -> None:
    draft = bill((*PLAIN, (before, "50.00"), (words, "390.00")))

    assert draft.total.surety == "asked"


@pytest.mark.parametrize("left", ["Restbetrag", "Solde", "Differenz", "Nachforderung"])
@pytest.mark.parametrize(
    "monthly", ["Monatlich zu zahlen", "Prélèvement mensuel", "Monthly amount due", "A pagar cada mes"]
)
def test_a_new_instalment_is_not_the_total_of_a_year(left: str, monthly: str) -> None:
    rows = (("Stromkosten", "1.200,00 €"), ("Abschläge", "-1.100,00 €"), (left, "100,00 €"))

    assert bill((*rows, (monthly, "85,00 €")), issuer=STROM).total.surety != "found"


TAKEN_OFF = (
    "Abzüglich Ihrer Zahlungen", "Geleistete Zahlungen", "Teilzahlungen", "Payments you have made",
    "Less previously billed", "Cancel previous bill", "Reversal of previous charges",
)  # fmt: skip


@pytest.mark.parametrize("words", TAKEN_OFF)
def test_what_is_taken_off_without_a_balance_may_be_part_of_this_bill(words: str) -> None:
    rows = (("Stromkosten", "1.200,00 €"), (words, "-1.100,00 €"), ("Nachzahlung", "100,00 €"))

    assert bill(rows, issuer=STROM).lines.surety == "asked"


OTHER_FEES = (
    "Demand penalty", "Power factor penalty", "Recargo por exceso de consumo", "Majoration pollution",
    "Indemnité de comptage", "Delinquent balance", "Returned payment", "Rücklastschrift", "Landfill deposit fee",
    "Deposit held",
)  # fmt: skip


@pytest.mark.parametrize("words", OTHER_FEES)
def test_a_fee_of_another_kind_is_no_fee_for_paying_late(words: str) -> None:
    rows = (("Electric charges", "100.00"), (words, "12.00"), ("Amount due", "112.00"))

    assert bill(rows, issuer=ELECTRIC).lines.surety == "asked"


CREDITS = (
    "Credit transferred", "Account credit", "Remaining credit", "Leak adjustment", "Korrektur", "Gutschrift Altvertrag",
    "Régularisation", "Avoir", "Abono", "Regularización lectura estimada", "Interest on deposit", "Interest credit",
)  # fmt: skip


@pytest.mark.parametrize("words", CREDITS)
def test_a_credit_that_may_be_of_another_bill_is_asked(words: str) -> None:
    rows = (("Electric charges", "100.00"), (words, "-12.00"), ("Amount due", "88.00"))

    assert bill(rows, issuer=ELECTRIC).lines.surety == "asked"


def test_a_discount_lowers_the_bill() -> None:
    rows = (("Electric charges", "100.00"), ("Loyalty rebate", "-12.00"), ("Amount due", "88.00"))

    assert [(line.name, line.cents) for line in bill(rows, issuer=ELECTRIC).lines.value or ()] == [
        ("ELECTRICITY", 8800)
    ]


@pytest.mark.parametrize("words", ["Cart rental", "Residential pickup", "Container rental", "Fixed collection"])
def test_what_is_of_garbage_is_not_of_the_utility_above(words: str) -> None:
    assert bill((*IN_GROUPS, (words, "25.00"), ("Amount due", "365.00"))).lines.surety == "asked"


@pytest.mark.parametrize("heading", ["City services", "Disposal services", "Redevances", "Gebühren", "Entsorgung"])
def test_a_heading_without_a_utility_ends_the_one_above(heading: str) -> None:
    assert bill((*IN_GROUPS, (heading, ""), ("Base charge", "25.00"), ("Amount due", "365.00"))).lines.surety == "asked"


NOTED = {
    "a long heading": (
        ("Water charges", ""), ("Usage charge", "100.00"),
        ("Sewer charges for service from 09/18/2026 to 10/17/2026", ""), ("Volume charge", "240.00"), PLAIN[2],
    ),
    "a heading with a place": (
        ("Water charges", ""), ("Usage charge", "100.00"),
        ("Sewer service at 1214 North Harbor Avenue, Chicago, IL 60600", ""), ("Volume charge", "240.00"), PLAIN[2],
    ),
    "a note of what was used": (
        ("Water service", "100.00"), ("Sewer", ""), ("Water used 12 kgal", ""), ("Volume charge", "240.00"), PLAIN[2],
    ),
}  # fmt: skip


@pytest.mark.parametrize("rows", NOTED.values(), ids=NOTED)
def test_no_utility_gets_what_stands_under_the_heading_of_another(rows: Rows) -> None:
    draft = bill(rows)

    found = {line.name: line.cents for line in draft.lines.value or ()} if draft.lines.surety == "found" else None
    assert found in (None, {"SEWER": 24000, "WATER": 10000})


def test_the_title_of_a_later_page_is_no_heading_of_a_utility() -> None:
    first = table((("Water", ""), ("Base charge", "100.00"), ("Sewer", ""), ("Customer charge", "40.00")))
    later = table((("Volume charge", "200.00"), ("Total current charges", "340.00"), ("Amount due", "340.00")))

    assert bill(f"{first}\n#pagebreak()\nYour water bill\n\n{later}").lines.surety == "asked"


ABOVE = (
    "Bill of 09/25/2026", "Invoice 09/25/2026", "Rechnung vom 25.09.2026", "Due 10/14/2026", "Invoice MW-0000",
    "Over 30 days", "60 days", "Account 77-4410-1", "Unit 4 (moved out)", "1216 North Harbor Avenue",
)  # fmt: skip


@pytest.mark.parametrize("heading", ABOVE)
def test_a_heading_with_figures_may_be_of_another_bill(heading: str) -> None:
    rows = ((heading, ""), ("Water service", "100.00"), ("Current charges", ""), *PLAIN[1:])

    assert bill(rows).lines.surety == "asked"


@pytest.mark.parametrize("head", ["Unpaid since", "Billed", "Was due"])
def test_a_single_day_beside_a_charge_may_be_that_of_another_bill(head: str) -> None:
    rows = (("Service", head, "Amount"), ("Water service", "10/14/2026", "100.00"), ("Sewer service", "", "240.00"))

    assert bill((*rows, ("Amount due", "", "340.00"))).lines.surety == "asked"


@pytest.mark.parametrize("heading", ["Old charges", "August", "Overdue"])
@pytest.mark.parametrize("look", ["#align(center)[{}]", "#align(right)[{}]", "=== {}\nMeter 4411\n"])
def test_a_heading_need_not_stand_at_the_left(heading: str, look: str) -> None:
    drawn = f"{look.format(heading)}\n{table(PLAIN[:1])}\n{look.format('New charges')}\n{table(PLAIN[1:])}"

    assert bill(drawn).lines.surety == "asked"


def test_headings_beside_each_other_are_those_of_their_lists() -> None:
    lists = [
        table(((heading, ""), charge)) for heading, charge in zip(("Old charges", "New charges"), PLAIN, strict=False)
    ]
    drawn = f"#grid(columns: (1fr, 1fr), column-gutter: 20pt, {''.join(f'[{one}],' for one in lists)})"

    assert bill(drawn + table(PLAIN[2:])).lines.surety == "asked"


@pytest.mark.parametrize(
    "words", ["Includes past due amount of", "Past due amount included", "davon Rückstand", "dont impayé"]
)
def test_arrears_that_are_said_in_passing_are_asked_about(words: str) -> None:
    rows = (("Water service", "150.00"), ("Sewer service", "240.00"), ("Amount due", "390.00"), (words, "50.00"))

    assert bill(rows).lines.surety == "asked"


@pytest.mark.parametrize(
    "title", ["Second notice", "Mahnung", "Rappel", "Shut-off notice", "Aviso de corte", "Duplicate"]
)
def test_a_reminder_may_be_of_a_bill_that_was_brought_before(title: str) -> None:
    draft = bill(PLAIN, before=f"== {title}")

    assert draft.lines.surety == "asked"
    assert title in str(draft.lines.reason)


@pytest.mark.parametrize("heading", ["New rates", "Unit 4", "If you use 20 kgal"])
def test_a_table_of_something_else_divides_no_bill(heading: str) -> None:
    rows = (("Total current charges", "340.00"), ("Amount due", "340.00"))

    assert bill(rows, extra=f"== {heading}\n{table(PLAIN[:2])}").lines.surety == "asked"


@pytest.mark.parametrize(
    "words", ["Sanitation district charge", "Used water charge", "Disposal of water", "Water bill"]
)
def test_words_that_may_mean_another_utility_or_another_bill_are_asked(words: str) -> None:
    assert bill((PLAIN[0], (words, "240.00"), PLAIN[2])).lines.surety == "asked"


def test_amounts_before_tax_alone_are_asked() -> None:
    rows = (("", "Net", "Gross"), *((words, cents, "") for words, cents in PLAIN))

    assert bill(rows).lines.surety == "asked"


@pytest.mark.parametrize(
    "line", ["Proudly serving water and sewer customers", "Now offering fiber internet in your area"]
)
def test_a_line_about_another_utility_is_no_heading_of_the_charges(line: str) -> None:
    rows = (("Base charge", "20.00"), ("Energy charge", "80.00"), ("Amount due", "100.00"))

    assert bill(rows, issuer=ELECTRIC, before=line).lines.surety == "asked"
