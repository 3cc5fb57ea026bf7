"""Bills with several amounts side by side are read correctly, or a person is asked."""

from collections.abc import Sequence

import pytest

from tests.bill_pdfs.drawn import Rows, bill, cents_of

PLAIN = (("Water service", "100.00"), ("Sewer service", "240.00"), ("Amount due", "340.00"))
SEVERAL = {
    "past due": (
        ("", "Current", "Past due", "Total"),
        ("Water service", "$100.00", "$50.00", "$150.00"),
        ("Sewer service", "$240.00", "$0.00", "$240.00"),
        ("Amount due", "$340.00", "$50.00", "$390.00"),
    ),
    "past due without signs": (
        ("", "Past due", "Current", "Total"),
        ("Water service", "50.00", "100.00", "150.00"),
        ("Sewer service", "20.00", "240.00", "260.00"),
        ("Amount due", "70.00", "340.00", "410.00"),
    ),
    "balance forward": (
        ("Service", "Balance forward", "Charges", "Balance"),
        ("Water", "$50.00", "$100.00", "$150.00"),
        ("Sewer", "$20.00", "$240.00", "$260.00"),
        ("Total amount due", "", "", "$410.00"),
    ),
    "previous and payments": (
        ("Service", "Previous", "Payments", "Current", "Due"),
        ("Water", "$50.00", "$0.00", "$100.00", "$150.00"),
        ("Sewer", "$20.00", "$0.00", "$240.00", "$260.00"),
        ("Amount due", "", "", "", "$410.00"),
    ),
    "last bill": (
        ("", "This bill", "Last bill"),
        ("Water service", "$100.00", "$90.00"),
        ("Sewer service", "$240.00", "$220.00"),
        ("Total current charges", "$340.00", "$310.00"),
        ("Amount due", "$340.00", "$310.00"),
    ),
    "last bill in German": (
        ("", "Diese Rechnung", "Letzte Rechnung"),
        ("Trinkwasser", "100,00 €", "90,00 €"),
        ("Schmutzwasser", "240,00 €", "220,00 €"),
        ("Zu zahlen", "340,00 €", "310,00 €"),
    ),
    "year to date": (
        ("", "Amount", "Year to date"),
        ("Water service", "$100.00", "$1,200.00"),
        ("Sewer service", "$240.00", "$2,200.00"),
        ("Amount due", "$340.00", "$3,400.00"),
    ),
    "paid late": (
        ("", "If paid by 11/14", "If paid after 11/14"),
        ("Water service", "$100.00", "$110.00"),
        ("Sewer service", "$240.00", "$264.00"),
        ("Amount due", "$340.00", "$374.00"),
    ),
    "of an account": (
        ("", "This month", "Account"),
        ("Electric service", "$100.00", "$150.00"),
        ("Amount due", "", "$150.00"),
    ),
    "nothing current": (
        ("", "Current", "Past due", "Total"),
        ("Water service", "$0.00", "$100.00", "$100.00"),
        ("Sewer service", "$0.00", "$240.00", "$240.00"),
        ("Amount due", "$0.00", "$340.00", "$340.00"),
    ),
    "past due beside what was used": (
        ("", "Used", "Past due", "Total"),
        ("Electric service", "350 kWh", "50.00", "$150.00"),
        ("Amount due", "", "", "$150.00"),
    ),
    "past due or current": (
        ("", "Past due", "Current"),
        ("Water service", "$100.00", ""),
        ("Sewer service", "", "$240.00"),
        ("Amount due", "", "$340.00"),
    ),
    "a head of two lines": (
        ("", "Past", "Current"),
        ("", "due", "charges"),
        ("Water service", "$100.00", ""),
        ("Sewer service", "", "$240.00"),
        ("Amount due", "", "$340.00"),
    ),
    "days past due": (
        ("", "31-60 days", "Current"),
        ("Water service", "$100.00", ""),
        ("Sewer service", "", "$240.00"),
        ("Amount due", "", "$340.00"),
    ),
    "old bills": (
        ("", "Old bills", "Current"),
        ("Water service", "$100.00", ""),
        ("Sewer service", "$240.00", ""),
        ("Amount due", "", "$340.00"),
    ),
    "a day": (
        ("", "Sept. 25", "Current"),
        ("Water service", "$100.00", ""),
        ("Sewer service", "$240.00", ""),
        ("Amount due", "", "$340.00"),
    ),
    "months": (
        ("", "September", "October"),
        ("Water service", "$100.00", ""),
        ("Sewer service", "", "$240.00"),
        ("Amount due", "", "$340.00"),
    ),
    "past due that multiplies": (
        ("", "Months", "Past due", "Total"),
        ("Electric service", "2", "50.00", "100.00"),
        ("Amount due", "", "", "100.00"),
    ),
    "paid": (
        ("", "Charged", "Paid"),
        ("Water service", "$100.00", "$100.00"),
        ("Sewer service", "$240.00", "$140.00"),
        ("Amount due", "$340.00", "$240.00"),
    ),
    "of another year": (
        ("", "2026", "2025"),
        ("Water service", "$100.00", "$90.00"),
        ("Amount due", "$100.00", "$90.00"),
    ),
}


@pytest.mark.parametrize("charges", SEVERAL.values(), ids=SEVERAL)
def test_lines_with_several_amounts_are_asked_and_so_is_a_total_beside_another(charges: Rows) -> None:
    draft = bill(charges)

    assert draft.lines.surety == "asked"
    offered = {amount for amount in charges[-1][1:] if amount not in ("", "$0.00")}
    if len(offered) > 1:
        assert (draft.total.surety, draft.total.value) == ("asked", None), "none is proposed"
        assert {cents_of(amount) for amount in offered} <= set(draft.total.choices), "each amount is offered"


def test_facts_of_two_bills_beside_each_other_are_asked() -> None:
    """The first column shows the previous bill, which is for another month."""
    facts = (
        ("", "Last bill", "This bill"),
        ("Account number", "77-4410-2", "77-4410-2"),
        ("Bill number", "MW-0001", "MW-0002"),
        ("Bill date", "09/25/2026", "10/25/2026"),
        ("Due date", "10/14/2026", "11/14/2026"),
        ("Service period", "08/18/2026 to 09/17/2026", "09/18/2026 to 10/17/2026"),
    )
    draft = bill(PLAIN, facts)

    assert (draft.account_number.surety, draft.account_number.value) == ("found", "77-4410-2")
    for reading in (draft.bill_number, draft.bill_date, draft.due_date, draft.service_start, draft.service_end):
        assert (reading.surety, reading.value) == ("asked", None)
        assert len(reading.choices) == 2


def test_facts_of_two_bills_below_each_other_are_asked() -> None:
    facts = (
        ("Account number", "Bill number", "Bill date", "Due date", "Service period"),
        ("77-4410-2", "MW-0001", "09/25/2026", "10/14/2026", "08/18/2026 to 09/17/2026"),
        ("77-4410-2", "MW-0002", "10/25/2026", "11/14/2026", "09/18/2026 to 10/17/2026"),
    )
    draft = bill(PLAIN, facts)

    for reading in (draft.bill_number, draft.bill_date, draft.due_date, draft.service_start, draft.service_end):
        assert reading.surety == "asked"
        assert len(reading.choices) == 2


def test_a_fact_of_the_bill_before_alone_is_asked() -> None:
    draft = bill(
        PLAIN, [("", "Prior bill", "This bill"), ("Bill number", "MW-0001", ""), ("Due date", "10/14/2026", "")]
    )

    assert (draft.bill_number.surety, draft.due_date.surety) == ("asked", "asked")


def test_facts_in_a_section_of_the_last_bill_are_asked() -> None:
    facts = (
        ("Your last bill", ""),
        ("Bill number", "MW-0001"),
        ("Bill date", "09/25/2026"),
        ("Due date", "10/14/2026"),
        ("Billing period", "08/18/2026 to 09/17/2026"),
    )
    draft = bill(PLAIN, facts)

    for reading in (draft.bill_number, draft.bill_date, draft.due_date, draft.service_start, draft.service_end):
        assert reading.surety == "asked"


def test_a_fact_whose_neighbour_has_words_of_its_own_is_found() -> None:
    facts = (
        ("Account number", "77-4410-2", "Bill number", "MW-0002"),
        ("Bill date", "10/25/2026", "Due date", "11/14/2026"),
        ("Service period", "09/18/2026 to 10/17/2026", "Place", "1214 North Harbor Avenue, Chicago, IL 60600"),
    )
    draft = bill(PLAIN, facts)

    assert {draft.account_number.value, draft.bill_number.value} == {"77-4410-2", "MW-0002"}
    assert (draft.bill_date.surety, draft.due_date.surety, draft.service_end.surety) == ("found", "found", "found")


@pytest.mark.parametrize(
    ("charges", "extra", "currency"),
    [
        (("Amount due (CAD)", "340.00"), "", "CAD"),
        (("Amount due", "340.00"), "All amounts in PLN.", "PLN"),
        (("Amount due", "340.00"), "Montants en euros", "€"),
        (("Amount due (CAD)", "$340.00"), "", "CAD"),
    ],
)
def test_a_currency_apart_from_the_amounts_is_seen(charges: Sequence[str], extra: str, currency: str) -> None:
    draft = bill([("Water service", "340.00"), charges], extra=extra)

    assert (draft.total.surety, draft.currency) == ("found", currency)


def test_two_currencies_are_asked() -> None:
    draft = bill([*PLAIN[:-1], ("Amount due", "$340.00")], extra="All amounts in PLN.")

    assert (draft.total.surety, draft.currency) == ("asked", "")
    assert "two currencies" in str(draft.total.reason)


FORMER = {
    "a section of the last bill": (
        ("Your last bill", ""), ("Water service", "$90.00"), ("Sewer service", "$220.00"), ("Amount due", "$310.00"),
    ),
    "a total in the column of the last bill": (
        ("", "Last bill", "This bill"), ("Water service", "$90.00", ""), ("Sewer service", "$220.00", ""),
        ("Amount due", "$310.00", ""),
    ),
    "the next month": (
        ("Next month", ""), ("Water service", "$110.00"), ("Sewer service", "$250.00"), ("Amount due", "$360.00"),
    ),
    "homes that are alike": (
        ("Homes like yours", ""), ("Water service", "$90.00"), ("Sewer service", "$220.00"), ("Amount due", "$310.00"),
    ),
    "a year": (
        ("", "Year to date"), ("Water service", "$900.00"), ("Sewer service", "$2,200.00"), ("Amount due", "$3,100.00"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("charges", FORMER.values(), ids=FORMER)
def test_a_total_of_another_bill_is_asked(charges: Rows) -> None:
    assert bill(charges).total.surety == "asked"
