"""Usual bills are known by issuer, account number and utility, and by their number."""

import pytest

from prorata.domain.billing_calendar import Month
from prorata.domain.months.expected_bills import missing_bills
from prorata.domain.months.findings import PastLine

JULY = Month("2026-07")
APRIL_TO_JUNE = ("2026-04", "2026-05", "2026-06")


def came(*months: str, issuer: str = "Prairie Gas", kind: str | None = "GAS", account: str = "1") -> list[PastLine]:
    return [PastLine(f"{issuer}{month}", Month(month), kind, 50_00, issuer, account) for month in months]


def city(bill: str, *months: str, kinds: tuple[str, ...]) -> list[PastLine]:
    """Monthly bills of the city, which state no account number."""
    return [PastLine(f"{bill}{month}", Month(month), kind, 50_00, "City", "") for month in months for kind in kinds]


def said(lines: list[PastLine], month: Month = JULY) -> list[str]:
    return [found.message for found in missing_bills(month, lines)]


@pytest.mark.parametrize(
    ("months", "is_missed"),
    [
        (("2026-04", "2026-05", "2026-06"), True),
        (("2026-01", "2026-02", "2026-03"), True),
        (("2026-05", "2026-06"), False),
        (("2025-12", "2026-05", "2026-06"), False),
        (("2026-04", "2026-05", "2026-06", "2026-07"), False),
        (("2026-02", "2026-04", "2026-06"), False),
        (("2026-01", "2026-03", "2026-05"), True),
        (("2026-02", "2026-04", "2026-05", "2026-06"), True),
    ],
)
def test_a_bill_is_missed_when_it_came_in_three_of_six_months_and_is_due_again(
    months: tuple[str, ...], is_missed: bool
) -> None:
    assert any("of the previous 6 months" in one for one in said(came(*months))) == is_missed


def test_a_month_that_was_sent_without_any_bill_still_has_its_bills_to_check() -> None:
    lines = came("2026-04", "2026-05", "2026-06")
    (found,) = missing_bills(JULY, lines, is_closed=True)
    assert found.to_check, "its invoices had corrections only"
    (found,) = missing_bills(JULY, lines + came("2026-07", issuer="Aqua Water Co."), is_closed=True)
    assert not found.to_check


def test_two_accounts_of_one_issuer_are_two_bills_and_capitals_make_no_difference() -> None:
    lines = came("2026-04", "2026-05", "2026-06", "2026-07") + came("2026-04", "2026-05", account="2")
    lines += came("2026-06", account="2", issuer="PRAIRIE GAS")
    (found,) = missing_bills(JULY, lines)
    assert found.message.startswith(
        "The bill from PRAIRIE GAS, account 2, has not arrived: it came in 3 of the previous 6 months"
    )
    assert found.message.endswith("most recently in June 2026.")


def test_a_bill_of_another_utility_of_the_same_issuer_does_not_stand_in_for_one_that_is_missing() -> None:
    water = city("w", *APRIL_TO_JUNE, JULY, kinds=("WATER",))
    trash = city("t", *APRIL_TO_JUNE, kinds=("GARBAGE",))
    (found,) = missing_bills(JULY, water + trash)
    assert found.message == (
        "The bill from City for garbage has not arrived: it came in 3 of the previous 6 months, most recently in "
        "June 2026."
    )
    assert found.records == ("t2026-06",)
    assert said(water + trash + city("t", JULY, kinds=("GARBAGE",))) == []


def test_each_bill_that_is_missing_is_named_and_one_of_two_utilities_is_one_bill() -> None:
    both = city("w", *APRIL_TO_JUNE, kinds=("WATER", "SEWER"))
    (found,) = said(both)
    assert found.startswith("The bill from City has not arrived: it came in 3 of the previous 6 months")
    trash = city("t", *APRIL_TO_JUNE, kinds=("GARBAGE",))
    first, second = said(both + trash)
    assert first.startswith("The bill from City for garbage has not arrived")
    assert second.startswith("The bill from City for sewer and water has not arrived")


def test_as_many_bills_are_to_come_as_usually_come() -> None:
    meters = city("a", *APRIL_TO_JUNE, kinds=("WATER",)) + city("b", *APRIL_TO_JUNE, kinds=("WATER",))
    one = city("a", JULY, kinds=("WATER",))
    (found,) = missing_bills(JULY, meters + one)
    assert found.message.startswith(
        "1 of 2 bills from City for water has not arrived: 2 came in 3 of the previous 6 months"
    )
    assert found.number == 1
    assert said(meters + one + city("b", JULY, kinds=("WATER",))) == []
    assert said(meters)[0].startswith("2 of 2 bills from City have not arrived: 2 came in 3 of the previous 6 months")
    twice_in_may = city("a", *APRIL_TO_JUNE, kinds=("WATER",)) + city("b", "2026-05", kinds=("WATER",))
    assert said(twice_in_may + one) == []


def test_two_bills_of_one_utility_are_missed_once_where_one_of_them_has_another_utility_too() -> None:
    lines = city("a", *APRIL_TO_JUNE, kinds=("WATER", "SEWER")) + city("b", *APRIL_TO_JUNE, kinds=("WATER",))
    (found,) = missing_bills(JULY, lines + city("b", JULY, kinds=("WATER",)))
    assert found.records == ("a2026-06",)


def test_each_utility_has_a_rhythm_of_its_own() -> None:
    water = city("w", "2026-01", "2026-02", "2026-03", "2026-04", "2026-05", "2026-06", "2026-07", kinds=("WATER",))
    trash = city("t", "2026-01", "2026-03", "2026-05", kinds=("GARBAGE",))
    assert said(water + trash)[0].startswith("The bill from City for garbage has not arrived")
    later = city("t", "2026-02", "2026-04", "2026-06", kinds=("GARBAGE",))
    assert said(water + later) == []


@pytest.mark.parametrize("other", ["OTHER", None])
def test_a_bill_that_comes_without_one_of_its_lines_has_come(other: str | None) -> None:
    lines = city("w", *APRIL_TO_JUNE, JULY, kinds=("WATER",))
    fee = [PastLine(f"w{month}", Month(month), other, 5_00, "City", "") for month in APRIL_TO_JUNE]
    assert said(lines + fee) == []


def test_a_bill_that_is_for_another_utility_each_time_is_missed_where_none_comes() -> None:
    lines = [
        PastLine(f"b{number}", Month(f"2026-0{number}"), kind, 50_00, "City", "")
        for number, kind in ((2, "WATER"), (3, "GAS"), (4, "SEWER"), (5, "WATER"), (6, "GAS"))
    ]
    assert said(lines)[0].startswith("The bill from City has not arrived: it came in 5 of the previous 6 months")
    assert said(lines + city("c", JULY, kinds=("GARBAGE",))) == []


def test_with_too_few_months_to_know_what_is_usual_a_utility_of_the_last_one_is_missed() -> None:
    october = [*came("2026-06"), *came("2026-06", issuer="Power", kind="ELECTRICITY"), *came("2026-06", kind=None)]
    assert said([*october, *came("2026-07", issuer="Another Gas")]) == [
        "There is no bill for electricity yet, but June 2026 had one."
    ]
    assert said(october) == ["There are no bills for electricity and gas yet, but June 2026 had them."]
    heating = came("2026-06", issuer="District Heat", kind="OTHER")
    assert said([*heating, *came("2026-07", issuer="Another Gas")]) == [
        "There is no bill for other costs (District Heat) yet, but June 2026 had one."
    ]
    assert said(came("2026-07")) == [], "the first month of all"
