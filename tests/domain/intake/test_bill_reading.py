"""Facts are read from the words of a bill, or asked about, but never guessed."""

from datetime import date
from time import process_time

import pytest

from prorata.domain.intake.bill_reading.draft import Draft
from prorata.domain.intake.bill_reading.spots import Sheet
from prorata.domain.intake.bill_reading.words import Page, Place, Word
from tests.pace import slowness
from tests.read_bills import read_bill

COLUMNS = (400, 2600, 4200)
"""Tenths of a point from the left at which the first, second and third cell of a line begin."""
RIGHT = 5600
HEAD = ("Aqua Water Co.", "", "Water bill", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "")
MADE = (
    "Account number: | 4417-2231",
    "Invoice number: | INV-8801",
    "Bill date: | March 14, 2026",
    "Due date: | April 4, 2026",
    "Service period: | February 10, 2026 - March 9, 2026",
    "Service address: | 12 Oak Street, Marlow, OH 43017",
)
END = ("", "Make checks payable to: | Aqua Water Co.", "www.aquawater.com")


def page(*lines: str, number: int = 1) -> Page:
    """A page of lines whose cells are divided by bars.

    Amounts stand at the right edge.
    """
    words = []
    for row, line in enumerate(lines):
        for column, cell in enumerate(line.split(" | ")):
            texts, top = cell.split(), 300 + 160 * row
            wide = sum(50 * len(text) + 25 for text in texts)
            is_amount = cell and cell.strip("$€-()")[:1].isdigit() and cell.rstrip("€ )")[-3:-2] in (".", ",")
            left = RIGHT - wide if is_amount else COLUMNS[column]
            for text in texts:
                words.append(Word(text, Place(number, left, top, left + 50 * len(text), top + 100)))
                left += 50 * len(text) + 25
    return Page(number, 6120, 12000, tuple(words))


def read(*amounts: str, made: tuple[str, ...] = MADE) -> Draft:
    return read_bill([page(*HEAD, *made, "", *amounts, *END)])


def test_a_plain_bill_is_read_whole() -> None:
    draft = read(
        "Water base charge | 12.00", "Water usage | 68.10", "Total current charges | 80.10", "Total amount due | 80.10"
    )

    assert (draft.issuer.value, draft.issuer.surety) == ("Aqua Water Co.", "found")
    assert (draft.account_number.value, draft.bill_number.value) == ("4417-2231", "INV-8801")
    assert (draft.bill_date.value, draft.due_date.value) == (date(2026, 3, 14), date(2026, 4, 4))
    assert (draft.service_start.value, draft.service_end.value) == (date(2026, 2, 10), date(2026, 3, 9))
    assert draft.service_address.value == "12 Oak Street, Marlow, OH 43017"
    assert (draft.total.surety, draft.total.value) == ("found", 8010)


def test_what_a_first_bill_is_for_is_always_asked() -> None:
    draft = read("Water usage | 80.10", "Total current charges | 80.10", "Total amount due | 80.10")

    assert (draft.lines.surety, draft.lines.value) == ("asked", None)
    assert "what the total is for" in str(draft.lines.reason)


def test_each_value_says_where_on_the_page_it_stands() -> None:
    draft = read("Water usage | 68.10", "Water base charge | 12.00", "Total amount due | 80.10")

    assert draft.account_number.places[0].left == COLUMNS[1]
    assert draft.total.places == (Place(1, 5600 - 275, 300 + 160 * 29, 5600 - 25, 300 + 160 * 29 + 100),)


def test_nothing_left_to_pay_once_an_account_is_debited_is_not_what_the_bill_comes_to() -> None:
    draft = read(
        "Water usage | 68.10",
        "Water base charge | 12.00",
        "Total charges | 80.10",
        "Autopay on April 1 | -80.10",
        "Amount due | 0.00",
    )

    assert draft.total.surety == "asked"


def test_a_total_that_is_on_the_bill_only_once_is_confirmed_by_nothing() -> None:
    draft = read("Water usage charge | 68.10", "Fixed service charge | 12.00", "Total amount due | 80.10")

    assert (draft.total.surety, draft.total.value) == ("asked", 8010)
    assert "it shows this amount only once" in str(draft.total.reason)


def test_two_different_amounts_to_be_paid_are_both_offered_and_neither_is_taken() -> None:
    draft = read("Current charges | 80.10", "Amount due | 80.10", "Total amount due | 110.10")

    assert (draft.total.surety, draft.total.choices) == ("asked", (8010, 11010))


def test_pages_of_two_account_numbers_may_be_two_bills_of_the_same_amount() -> None:
    bill = ("Water usage | 68.10", "Water base charge | 12.00", "Total amount due | 80.10")
    other = tuple(line.replace("4417-2231", "4417-2232") for line in MADE)
    draft = read_bill([page(*HEAD, *MADE, "", *bill, *END), page(*HEAD, *other, "", *bill, *END, number=2)])
    again = read_bill([page(*HEAD, *MADE, "", *bill, *END), page(*HEAD, *MADE, "", *bill, *END, number=2)])

    assert (draft.total.surety, draft.total.value) == ("asked", 8010)
    assert "several bills" in str(draft.total.reason)
    assert (again.total.surety, again.total.value) == ("found", 8010)
    of_one = ("", "Customer number: | 777001")
    both = [page(*HEAD, *made, *of_one, *bill, *END, number=number) for number, made in ((1, MADE), (2, other))]
    assert read_bill(both).total.surety == "asked", "a number of the customer is on each of two bills"


def test_a_second_number_on_some_pages_is_no_second_bill() -> None:
    bill = ("Water usage | 68.10", "Water base charge | 12.00", "Total amount due | 80.10")
    meter = ("", "", "Account number: | 6639")
    draft = read_bill([page(*HEAD, *MADE, "", *bill, *END), page(*HEAD, *MADE, "", *bill, *END, *meter, number=2)])

    assert (draft.account_number.surety, set(draft.account_number.choices)) == ("asked", {"4417-2231", "6639"})
    assert (draft.total.surety, draft.total.value) == ("found", 8010)


def test_what_it_would_cost_after_the_due_date_is_no_total() -> None:
    draft = read("Current charges | 80.10", "Total amount due | 80.10", "Amount due after April 4, 2026 | 85.10")

    assert draft.total.value == 8010


@pytest.mark.parametrize(
    ("billed", "due", "read_as"),
    [
        ("03/04/2026", "03/25/2026", date(2026, 3, 4)),
        ("03/04/2026", "25/04/2026", date(2026, 4, 3)),
        ("03/04/2026", "05/04/2026", None),
        ("03/14/2026", "25/04/2026", date(2026, 3, 14)),
        ("03.04.2026", "25.04.2026", date(2026, 4, 3)),
        ("03.04.2026", "03.25.2026", date(2026, 3, 4)),
        ("03.04.2026", "05.04.2026", None),
        ("03.04.2026", "03/25/2026", None),
    ],
)
def test_a_date_is_read_by_the_order_that_other_dates_show_and_else_asked(
    billed: str, due: str, read_as: date | None
) -> None:
    made = ("Account number: | 4417-2231", f"Bill date: | {billed}", f"Due date: | {due}")

    draft = read("Current charges | 80.10", "Total amount due | 80.10", made=made)

    assert (draft.bill_date.value if draft.bill_date.surety == "found" else None) == read_as


def test_a_date_that_reads_two_ways_offers_both() -> None:
    draft = read("Total amount due | 80.10", made=("Bill date: | 03/04/2026", "Due date: | 05/04/2026"))

    assert draft.bill_date.choices == (date(2026, 3, 4), date(2026, 4, 3))


AMERICAN = "Please pay the amount of your account by the date of this bill: $80.10, Marlow, OH 43017"


@pytest.mark.parametrize(
    ("billed", "due", "asked"),
    [
        ("03.04.2026", "05.04.2026", True),  # points speak for the day first, all else for the month
        ("03/04/2026", "05.04.2026", True),
        ("03/04/2026", "04/05/2026", False),
        ("03.04.2026", "04.25.2026", False),  # where points stand month first beyond doubt, they do so everywhere
    ],
)
def test_a_date_with_points_is_asked_where_all_else_puts_the_month_first(billed: str, due: str, *, asked: bool) -> None:
    made = ("Account number: | 4417-2231", f"Bill date: | {billed}", f"Due date: | {due}", AMERICAN)

    draft = read("Current charges | $80.10", "Total amount due | $80.10", made=made)

    assert draft.bill_date.surety == ("asked" if asked else "found")
    assert date(2026, 3, 4) in (draft.bill_date.choices or (draft.bill_date.value,))


def test_a_period_with_points_has_its_day_first_only_where_the_bill_does() -> None:
    periods = {}
    for spoken in ("Zahlbar bis zum Datum der Rechnung, Ihre Summe von 80,10 EUR", AMERICAN):
        made = ("Service period: | 05.03. - 04.04.2026", spoken)
        draft = read("Current charges | 80.10", "Total amount due | 80.10", made=made)
        periods[spoken] = (draft.service_start.surety, draft.service_start.value)

    assert list(periods.values()) == [("found", date(2026, 3, 5)), ("asked", None)]


def test_a_due_date_before_the_bill_date_is_asked_with_the_bill_date() -> None:
    draft = read("Total amount due | 80.10", made=("Bill date: | April 4, 2026", "Due date: | March 14, 2026"))

    assert (draft.bill_date.surety, draft.due_date.surety) == ("asked", "asked")


@pytest.mark.parametrize(
    ("billed", "due", "read_as"),
    [
        ("26-03-14", "26-04-04", None),
        ("14-03-26", "30-04-26", None),
        ("03-14-26", "04-04-26", date(2026, 3, 14)),
        ("2026-03-14", "2026-04-04", date(2026, 3, 14)),
    ],
)
def test_a_date_of_two_figures_and_hyphens_may_begin_with_its_year(billed: str, due: str, read_as: date | None) -> None:
    made = ("Account number: | 4417-2231", f"Bill date: | {billed}", f"Due date: | {due}")

    draft = read("Current charges | 80.10", "Total amount due | 80.10", made=made)

    assert (draft.bill_date.value if draft.bill_date.surety == "found" else None) == read_as
    assert read_as or date(2026, 3, 14) in draft.bill_date.choices


def test_two_account_numbers_are_both_offered() -> None:
    draft = read("Total amount due | 80.10", made=("Account number: | 4417-2231", "Account no. | 4417-2232"))

    assert (draft.account_number.surety, set(draft.account_number.choices)) == ("asked", {"4417-2231", "4417-2232"})


def test_amounts_in_two_forms_or_two_currencies_are_asked() -> None:
    assert read("Water usage | 80,10", "Base charge | 12.00", "Total amount due | 92.10").total.surety == "asked"
    assert read("Current charges | €80.10", "Total amount due | $80.10").total.surety == "asked"


def test_an_amount_without_decimals_that_reads_two_ways_is_not_taken() -> None:
    assert read("Current charges | $1,234", "Total amount due | $1,234").total.surety != "found"


def test_what_is_not_there_is_named() -> None:
    draft = read_bill([page("Hello", "this is a letter and no bill at all")])

    assert draft.total.surety == draft.due_date.surety == "missing"
    assert draft.due_date.reason == "No due date was found on the bill."


def test_a_page_full_of_amounts_and_labels_takes_little_time() -> None:
    hostile = [page(*[f"Account number: | {row}.00 | {row + 1}.00" for row in range(700)]) for _ in range(3)]
    hostile.append(
        page("Total " + "." * 20_000 + "x | 5.00", *[f"Total amount due | {row}.{row % 90 + 10}" for row in range(900)])
    )
    began = process_time()

    draft = read_bill(hostile)

    assert process_time() - began < 4 * slowness()
    assert draft.total.surety == "asked"


def test_what_stands_beside_words_much_like_a_label_is_offered_and_not_taken() -> None:
    made = ("Payment is due: | April 4, 2026", "Customer file account: | 4417-2231", "Bank account: | 99887766")

    draft = read("Total amount due | 80.10", made=made)

    assert (draft.due_date.surety, draft.due_date.choices) == ("asked", (date(2026, 4, 4),))
    assert (draft.account_number.surety, draft.account_number.choices) == ("asked", ("4417-2231",))


@pytest.mark.parametrize(
    "label", ["Bill to: | Harbor Rentals LLC", "Bill to:\nHarbor Rentals LLC", "Customer\nHarbor Rentals LLC"]
)
def test_whom_a_bill_is_for_is_not_proposed_as_who_sent_it(label: str) -> None:
    head = ("Volt Power Co.", *label.split("\n"), *("",) * 16)
    draft = read_bill([page(*head, *MADE, "Total amount due | 80.10", "www.example.com")])
    assert draft.issuer.surety == "asked"
    assert draft.issuer.choices == ("Volt Power Co.",)


def test_a_bill_that_is_paid_to_whom_it_is_for_names_them() -> None:
    draft = read_bill(
        [page("Bill to: | Volt Power Co.", *("",) * 18, *MADE, "Make checks payable to: | Volt Power Co.")]
    )
    assert (draft.issuer.surety, draft.issuer.value) == ("found", "Volt Power Co.")


@pytest.mark.parametrize("size", ["3/4 inch", "5/8 x 3/4 in.", "5/8x3/4", '3/4"'])
def test_the_size_of_a_meter_is_no_day(size: str) -> None:
    sheet = Sheet([page("Volt", f"Meter size {size} | read on 3/5 to 4/4")])
    assert [spot.text for spot in sheet.spots("day")] == ["3/5", "4/4"]
