"""What earlier bills left stands under a utility's name too: it is never billed a second time."""

from typing import NamedTuple

import pytest

from tests.domain.intake.test_bill_reading import lines, read


class Written(NamedTuple):
    """How a bill is written in one language: a decimal mark, two utilities, the sum of the charges, and the total."""

    mark: str
    water: str
    sewer: str
    current: str
    total: str


ENGLISH = Written(".", "Water", "Sewer", "Current charges", "Total amount due")
GERMAN = Written(",", "Trinkwasser", "Abwasser", "Rechnungsbetrag", "Zu zahlender Betrag")
FRENCH = Written(",", "Eau potable", "Assainissement", "Montant de la facture", "Total à payer")
SPANISH = Written(",", "Consumo agua", "Alcantarillado", "Importe de la factura", "Total a pagar")
CARRIED = [
    *(
        (ENGLISH, words)
        for words in ("Water arrears", "WATER BAL FWD", "Unpaid water", "Water carried over", "Water b/f")
    ),
    *((GERMAN, words) for words in ("Wasser Rückstand", "Unbezahlt Wasser", "Altschulden Wasser", "Vortrag Wasser")),
    *((FRENCH, words) for words in ("Arriérés eau", "Eau impayée", "Eau non payée", "Eau : montant reporté")),
    *((SPANISH, words) for words in ("Atrasos agua", "Agua impagada", "Deuda agua", "Recibo vencido agua")),
]
"""Words that say of an amount that it was billed before."""
UNKNOWN = [
    *(
        (ENGLISH, words)
        for words in ("Water late pmt", "Water zzqxw", "January water", "Water 02/01/2026", "Water 2025")
    ),
    *((GERMAN, words) for words in ("Wasser Zzqxw", "Wasserzzqxw", "Wasser Restbetrag", "Wasser Januar")),
    *((FRENCH, words) for words in ("Eau zzqxw", "Eau de janvier", "Eau en souffrance")),
    *((SPANISH, words) for words in ("Agua zzqxw", "Agua de enero", "Agua que queda")),
]
"""Words that may say anything."""


def amounts(of: Written, *rows: tuple[str, int]) -> list[str]:
    return [f"{words} | {cents // 100}{of.mark}{cents % 100:02}" for words, cents in rows]


@pytest.mark.parametrize(("of", "words"), [*CARRIED, *UNKNOWN])
def test_what_may_have_been_billed_before_is_asked_about_where_the_total_alone_is_stated(
    of: Written, words: str
) -> None:
    several = amounts(of, (words, 5000), (of.water, 8000), (of.sewer, 4000), (of.total, 17000))
    one = amounts(of, (words, 5000), (of.water, 8000), (of.total, 13000))

    assert lines(read(*several)) is None
    assert lines(read(*one)) is None


@pytest.mark.parametrize(("of", "words"), CARRIED)
def test_what_was_billed_before_is_a_balance_where_the_charges_are_stated_apart(of: Written, words: str) -> None:
    several = amounts(of, (words, 5000), (of.water, 8000), (of.sewer, 4000), (of.current, 12000), (of.total, 17000))
    one = amounts(of, (words, 5000), (of.water, 8000), (of.current, 8000), (of.total, 13000))

    assert lines(read(*several)) == {"PREVIOUS_BALANCE": 5000, "SEWER": 4000, "WATER": 8000}
    assert lines(read(*one)) == {"PREVIOUS_BALANCE": 5000, "WATER": 8000}


@pytest.mark.parametrize(("of", "words"), UNKNOWN)
def test_what_is_not_known_is_asked_about_though_the_charges_are_stated_apart(of: Written, words: str) -> None:
    several = amounts(of, (words, 5000), (of.water, 8000), (of.sewer, 4000), (of.current, 12000), (of.total, 17000))

    assert lines(read(*several)) is None


@pytest.mark.parametrize("of", [ENGLISH, GERMAN, FRENCH, SPANISH])
def test_charges_that_come_to_more_than_their_stated_sum_are_asked_about(of: Written) -> None:
    rows = [(of.water, 5000), (of.water, 8000), (of.sewer, 4000)]

    assert lines(read(*amounts(of, *rows, (of.current, 12000), (of.total, 17000)))) is None
    assert lines(read(*amounts(of, *rows, (of.current, 17000), (of.total, 17000)))) == {"SEWER": 4000, "WATER": 13000}


def test_a_stated_sum_of_a_utility_with_words_that_are_not_known_is_asked_about() -> None:
    rest = ("Sewer | 40.00", "Current charges | 90.00", "Total amount due | 90.00")

    assert lines(read("Total water charges | 50.00", *rest)) == {"SEWER": 4000, "WATER": 5000}
    assert lines(read("Total water zzqxw charges | 50.00", *rest)) is None


@pytest.mark.parametrize(
    ("of", "parts"),
    [
        (ENGLISH, ("Water base charge", "Water usage 12 CCF", "State water tax", "Sewer volume charge")),
        (GERMAN, ("Grundgebühr Wasser", "Mengenpreis Trinkwasser", "Schmutzwassergebühr", "Kanalgebühren")),
        (
            FRENCH,
            ("Abonnement eau", "Consommation d'eau potable", "Collecte des eaux usées", "Redevance assainissement"),
        ),
        (SPANISH, ("Cuota de servicio agua", "Consumo de agua 14 m³", "Canon del agua", "Cuota alcantarillado")),
    ],
)
def test_the_parts_of_a_price_are_found_in_four_languages(of: Written, parts: tuple[str, ...]) -> None:
    draft = read(*amounts(of, *((words, 1000) for words in parts), (of.current, 4000), (of.total, 4000)))

    assert lines(draft) in ({"SEWER": 1000, "WATER": 3000}, {"SEWER": 2000, "WATER": 2000})


def test_a_fee_in_the_stated_charges_is_still_told_apart() -> None:
    draft = read(
        "Water usage | 80.10", "Late payment charge | 5.00", "Total current charges | 85.10", "Total amount due | 85.10"
    )

    assert lines(draft) == {"LATE_FEE": 500, "WATER": 8010}


@pytest.mark.parametrize(
    "heading", ["Past due", "Previous charges", "Unpaid from earlier bills", "Rückstand", "Impayés", "Saldo pendiente"]
)
def test_what_stands_under_a_heading_of_earlier_bills_is_asked_about(heading: str) -> None:
    draft = read(heading, "Water usage | 40.00", "This bill", "Water base charge | 80.10", "Total amount due | 120.10")
    after = read(heading, "This bill", "Water usage | 40.00", "Water base charge | 80.10", "Total amount due | 120.10")

    assert lines(draft) is None
    assert f"stands under “{heading}”" in str(draft.lines.reason)
    assert lines(after) == {"WATER": 12010}


@pytest.mark.parametrize(
    "rows",
    [
        ("October | Water usage | 40.00", "November | Water usage | 80.10"),
        ("Invoice 1001 | Water usage | 40.00", "Invoice 1002 | Water usage | 80.10"),
        ("Bill of 10/17", "Water usage | 40.00", "Bill of 11/17", "Water usage | 80.10"),
        ("October | Water usage | 60.05", "November | Water usage | 60.05"),
    ],
)
def test_what_is_charged_twice_in_the_same_words_is_asked_about(rows: tuple[str, ...]) -> None:
    draft = read(*rows, "Total amount due | 120.10")

    assert lines(draft) is None
    assert "more than once" in str(draft.lines.reason)


def test_two_meters_that_are_named_are_two_charges_of_the_period() -> None:
    meters = ("Meter W-11872", "Water usage | 40.00", "Meter W-11873", "Water usage | 80.10")

    assert lines(read(*meters, "Total amount due | 120.10")) == {"WATER": 12010}
