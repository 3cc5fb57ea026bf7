from datetime import date, timedelta

import pytest
from hypothesis import given, strategies as st

from prorata.domain.billing_calendar import (
    Month,
    days_there,
    first_day,
    is_in_reach,
    last_day,
    month_in_words,
    month_of,
    month_with_most_days,
    months_apart,
    months_back,
    months_between,
    next_month,
    read_month,
    to_choose_from,
)

days = st.dates(date(2000, 1, 1), date(2099, 12, 31))
stays = st.none() | days


@pytest.mark.parametrize("text", ["2026-03", "0001-01", "9999-12"])
def test_a_month_is_written_with_four_and_two_digits(text):
    assert read_month(text) == text


@pytest.mark.parametrize("text", ["", "2026", "2026-3", "2026-00", "2026-13", "2026-03-01", " 2026-03", "2026-03\n",
                                  "0000-01", "٢٠٢٦-٠٣", "26-03", "2026/03"])  # fmt: skip
def test_what_is_not_a_month_is_none(text):
    assert read_month(text) is None


@given(days)
def test_a_month_holds_its_days_and_no_others(day):
    month = month_of(day)
    assert first_day(month) <= day <= last_day(month)
    assert first_day(month).day == 1
    assert (last_day(month) + timedelta(days=1)).day == 1
    assert month_of(last_day(month)) == month
    assert next_month(month) == month_of(last_day(month) + timedelta(days=1))


@given(days, stays, stays)
def test_days_there_are_those_that_lie_in_both_the_stay_and_the_month(day, since, until):
    month = month_of(day)
    each = [first_day(month) + timedelta(days=number) for number in range(last_day(month).day)]
    there = [one for one in each if (since is None or since <= one) and (until is None or one <= until)]
    assert days_there(month, since, until) == len(there)


def test_a_stay_that_ends_before_it_begins_has_no_days_in_a_month():
    assert days_there(Month("2026-03"), date(2026, 3, 20), date(2026, 3, 10)) == 0


@given(days, st.integers(0, 800))
def test_months_between_two_days_are_all_and_in_order(start, length):
    end = start + timedelta(days=length)
    each = dict.fromkeys(month_of(start + timedelta(days=day)) for day in range(length + 1))
    assert list(months_between(start, end)) == list(each)


@given(days, st.integers(0, 120))
def test_a_service_period_belongs_to_the_month_with_most_of_its_days(start, length):
    each = [month_of(start + timedelta(days=day)) for day in range(length + 1)]
    chosen = month_with_most_days(start, start + timedelta(days=length))
    assert each.count(chosen) == max(map(each.count, each))
    assert not any(each.count(month) == each.count(chosen) for month in each if month > chosen), "the later on a tie"


@pytest.mark.parametrize(
    ("start", "end", "month"),
    [
        (date(2026, 2, 20), date(2026, 3, 19), "2026-03"),
        (date(2026, 3, 1), date(2026, 3, 1), "2026-03"),
        (date(2026, 3, 22), date(2026, 4, 10), "2026-04"),  # ten days in each
        (date(2026, 1, 1), date(2026, 3, 31), "2026-03"),  # 31, 28, 31
        (date(2025, 12, 15), date(2026, 1, 10), "2025-12"),
    ],
)
def test_service_periods_of_real_bills_find_their_month(start, end, month):
    assert month_with_most_days(start, end) == month


def test_a_month_is_offered_once_and_the_one_chosen_before_in_its_place():
    now = Month("2026-03")
    offered = to_choose_from(now)
    assert (len(offered), len(set(offered))) == (133, 133)
    assert to_choose_from(now, "2026-03") == to_choose_from(now, "2016-03") == to_choose_from(now, "March") == offered
    assert to_choose_from(now, "2030-01") == ["2030-01", *offered]


@pytest.mark.parametrize(
    ("text", "is_there"),
    [("1969-12", False), ("1970-01", True), ("2999-12-31", True), ("3000-01", False), ("2026", True), ("", False)],
)
def test_months_and_days_are_in_reach_from_1970_to_2999(text, is_there):
    assert is_in_reach(text) is is_there


@pytest.mark.parametrize(
    ("month", "number", "before"),
    [("2026-01", 1, "2025-12"), ("2026-12", 12, "2025-12"), ("2026-12", 11, "2026-01"), ("2026-03", -10, "2027-01")],
)
def test_months_are_counted_back_and_apart_across_years(month, number, before):
    assert months_back(Month(month), number) == before
    assert months_apart(Month(before), Month(month)) == number


@pytest.mark.parametrize(("month", "said"), [("2026-01", "January 2026"), ("2025-12", "December 2025")])
def test_a_month_is_named_in_full(month, said):
    assert month_in_words(Month(month)) == said
