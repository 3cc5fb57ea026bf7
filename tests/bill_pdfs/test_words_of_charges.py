"""Words beside amounts and in sentences identify totals.

They also identify new charges on the bill of a known issuer.
"""

import pytest

from tests.bill_pdfs.drawn import Rows, bill, billed, next_bill

PLAIN = (("Water service", "100.00"), ("Sewer service", "240.00"), ("Amount due", "340.00"))
STROM = "Marram Strom GmbH"


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


def test_the_same_words_are_the_same_utilities_again() -> None:
    draft = next_bill((("Water service", "90.00"), ("Sewer service", "210.00"), ("Amount due", "300.00")))

    assert (draft.total.surety, draft.total.value, billed(draft)) == ("found", 30000, {"WATER": 9000, "SEWER": 21000})


NEW = (
    "Demand penalty",
    "Storm water fee",
    "Trash collection",
    "Water arrears",
    "Field visit",
    "Returned payment",
    "Umsatzsteuer 19 %",
)
REASONS = {
    "LATE_FEE": (
        "Late payment fee",
        "Mahngebühr",
        "Säumniszuschlag",
        "Pénalités",
        "Recargo por demora",
    ),
    "DEPOSIT": ("Security deposit", "Kaution", "Fianza"),
    "PREVIOUS_BALANCE": ("Previous balance", "Balance forward", "Rückstand", "Impayé", "Deuda pendiente"),
}


@pytest.mark.parametrize("words", NEW)
def test_what_is_charged_in_words_that_no_bill_had_is_asked(words: str) -> None:
    assert billed(next_bill((*PLAIN[:2], (words, "12.00"), ("Amount due", "352.00")))) is None


@pytest.mark.parametrize(("reason", "words"), [(reason, one) for reason, its in REASONS.items() for one in its])
def test_what_names_a_reason_to_bill_nobody_and_comes_to_the_total_with_what_is_known_is_so(
    reason: str, words: str
) -> None:
    draft = next_bill((*PLAIN[:2], (words, "12.00"), ("Amount due", "352.00")))

    assert billed(draft) == {"WATER": 10000, "SEWER": 24000, reason: 1200}


CREDITS = (
    "Credit transferred", "Account credit", "Leak adjustment", "Payments you have made", "Less previously billed",
    "Gutschrift Altvertrag", "Abzüglich Ihrer Zahlungen", "Régularisation", "Avoir", "Abono",
)  # fmt: skip


@pytest.mark.parametrize("words", CREDITS)
def test_what_is_taken_off_in_words_that_no_bill_had_is_asked(words: str) -> None:
    assert billed(next_bill((*PLAIN[:2], (words, "-12.00"), ("Amount due", "328.00")))) is None


@pytest.mark.parametrize("words", ["Interest on deposit", "Deposit interest", "Deposit refund"])
def test_what_a_deposit_gives_back_is_the_owners(words: str) -> None:
    draft = next_bill((*PLAIN[:2], (words, "-12.00"), ("Amount due", "328.00")))

    assert billed(draft) == {"WATER": 10000, "SEWER": 24000, "DEPOSIT": -1200}


@pytest.mark.parametrize("words", ["08/2026 Sewer", "Sewer (2025)", "Sewer 08/18/2026 - 09/17/2026"])
def test_a_known_charge_of_another_time_is_asked(words: str) -> None:
    its = {"WATER": ("Water", "100.00"), "SEWER": ("Sewer", "240.00")}
    rows = ((words, "12.00"), *its.values(), ("Amount due", "352.00"))

    assert billed(next_bill((("Sewer charge", "12.00"), *rows[1:]), its)) == {"WATER": 10000, "SEWER": 25200}
    assert billed(next_bill(rows, its)) is None


@pytest.mark.parametrize("heading", ["New charges", "Diese Rechnung", "Ce mois:", "Factura actual", "Open balance"])
def test_charges_on_both_sides_of_a_heading_that_no_bill_had_are_asked(heading: str) -> None:
    rows = (PLAIN[0], (heading, ""), *PLAIN[1:])

    assert billed(next_bill((PLAIN[0], ("Meter 4411", ""), *PLAIN[1:]))) == {"WATER": 10000, "SEWER": 24000}
    assert billed(next_bill(rows)) is None


ABOVE = {"one line twice": "Water service", "a line left out": "Sewer service"}


@pytest.mark.parametrize("words", ABOVE.values(), ids=ABOVE)
def test_lines_that_do_not_come_to_the_total_are_asked_with_both_sums(words: str) -> None:
    rows: Rows = (("Water service", "100.00"), (words, "240.00"), ("Fee", "1.00"), ("Amount due", "341.00"))
    draft = next_bill(rows)

    assert billed(draft) is None
    assert (
        draft.lines.reason
        == "The amounts that Prorata recognizes on this company’s bills add up to 340.00, but the total is 341.00. "
        "Say what the rest is for."
    )
