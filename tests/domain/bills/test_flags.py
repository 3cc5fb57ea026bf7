"""A bill with suspicious facts is flagged before it counts; other bills are not."""

from collections.abc import Sequence
from datetime import date, timedelta
from fractions import Fraction
from statistics import median
from typing import Any

import pytest
from hypothesis import given, strategies as st

from prorata.domain.bills.bills import NewBill
from prorata.domain.bills.compared_bills import EarlierBill
from prorata.domain.bills.flags import Flag, KnownBills

BILL = NewBill(
    "prop_1", "Aqua", ("WATER",), 100_00, date(2026, 3, 5), account_number="A-100",
    service_start=date(2026, 2, 1), service_end=date(2026, 2, 28),
)  # fmt: skip
TODAY = date(2026, 4, 30)
DAYS = st.dates(date(2025, 12, 1), date(2026, 4, 30))
AMOUNTS = st.integers(-10_00, 1_000_00)


def kinds(bill: NewBill, *known: NewBill) -> list[str]:
    return [flag.kind for flag in flags(bill, *known)]


def flags(bill: NewBill, *known: NewBill) -> tuple[Flag, ...]:
    return KnownBills(EarlierBill(f"bill_{at}", one) for at, one in enumerate(known)).flags_of(bill, "USD", TODAY)


def over(first: date, last: date, **more: Any) -> NewBill:
    """Another bill of the same account, for these days of service."""
    return BILL._replace(service_start=first, service_end=last, total=99_00, **more)


def months_before(*totals: int, bill: NewBill = BILL) -> list[NewBill]:
    """A bill for each total, whose service periods follow one another.

    The last period ends on the day before that of `bill` begins.
    """
    assert bill.service_start is not None
    made, end = [], bill.service_start - timedelta(days=1)
    for total in reversed(totals):
        start = end - timedelta(days=27)
        made.append(bill._replace(total=total, service_start=start, service_end=end, bill_date=end, amounts=()))
        end = start - timedelta(days=1)
    return made[::-1]


@pytest.mark.parametrize(
    "day", [{"bill_date": date(2026, 6, 30)}, {"service_start": date(2026, 6, 30)}, {"service_end": date(2027, 6, 5)}]
)
def test_a_day_long_after_today_is_flagged(day: dict[str, date]):
    bill = BILL._replace(service_end=date(2027, 6, 4), service_start=date(2026, 6, 29), bill_date=date(2026, 6, 29))
    assert (kinds(bill), kinds(bill._replace(**day))) == ([], ["inFuture"])


def test_a_bill_like_those_before_it_has_no_flag():
    assert kinds(BILL, *months_before(90_00, 110_00, 95_00)) == []


def test_a_bill_number_that_was_seen_is_a_duplicate_however_it_is_written():
    before = BILL._replace(bill_number="RE 2026/17", total=320_10, bill_date=date(2026, 1, 9), service_start=None)
    (flag,) = flags(BILL._replace(bill_number="re-2026-17"), before)
    assert flag.kind == "duplicate"
    assert flag.message == "Bill number RE 2026/17 from Aqua has already been added: dated 2026-01-09, for $320.10."
    assert flag.bills == ("bill_0",)


@pytest.mark.parametrize("account_number", ["00A-100", "A-101", None])
def test_a_bill_number_that_was_seen_is_a_duplicate_whatever_the_account_number_is(account_number: str | None):
    before = BILL._replace(bill_number="17")
    assert kinds(before._replace(account_number=account_number), before) == ["duplicate"]
    other = before._replace(account_number=account_number, bill_number="18", total=99_00)
    assert "duplicate" not in kinds(other, before)
    another = BILL._replace(account_number=account_number, issuer_name="Prairie", bill_number="17", total=99_00)
    assert kinds(another, before) == []


def test_the_same_total_for_the_same_period_is_a_duplicate():
    (flag,) = flags(BILL, BILL._replace(bill_date=date(2026, 3, 20), bill_number="17"))
    assert (
        flag.message
        == "A bill from Aqua dated 2026-03-20 for $100.00, covering 2026-02-01 to 2026-02-28, has already been added."
    )
    assert flag.advice.startswith("If it is the same bill, leave this one out;")


@pytest.mark.parametrize(
    "other",
    [
        {"account_number": "A-200"},
        {"utility_types": ("GAS",), "account_number": None},
        {"issuer_name": "Prairie", "account_number": None, "service_start": date(2026, 1, 30)},
        {"total": 100_01, "service_start": None},
    ],
    ids=["account", "utility", "issuer", "total"],
)
def test_a_bill_of_another_account_utility_issuer_or_total_is_no_duplicate(other: dict[str, Any]):
    assert "duplicate" not in kinds(BILL, BILL._replace(**other))


def test_an_issuer_written_in_two_ways_is_one_where_the_account_number_is():
    assert kinds(BILL, BILL._replace(issuer_name="Aqua Water Co.", account_number="a100")) == ["duplicate"]


def test_a_bill_number_with_its_total_is_a_duplicate_however_its_issuer_and_account_are_written():
    row = BILL._replace(bill_number="88121", account_number=None, service_start=None, service_end=None)
    pdf = BILL._replace(bill_number="88-121", issuer_name="Aqua Water Co.")
    assert kinds(pdf, row) == kinds(row, pdf) == kinds(pdf, BILL._replace(bill_number="88121")) == ["duplicate"]
    assert "duplicate" not in kinds(pdf, row._replace(total=99_00))
    assert "duplicate" not in kinds(pdf, row._replace(property_id="prop_2"))


def test_one_total_for_one_period_and_utility_is_a_duplicate_where_an_account_number_is_missing():
    row = BILL._replace(issuer_name="Aqua Water Company", account_number=None)
    assert kinds(BILL, row) == kinds(row, BILL) == ["duplicate"]
    assert "duplicate" not in kinds(BILL, row._replace(account_number="A-200"))
    assert "duplicate" not in kinds(BILL, row._replace(utility_types=("GAS",)))


def test_one_total_for_one_period_of_an_account_number_is_a_duplicate_whatever_it_was_entered_for():
    assert kinds(BILL, BILL._replace(utility_types=("OTHER",))) == ["duplicate"]
    assert "duplicate" not in kinds(BILL, BILL._replace(utility_types=("OTHER",), total=99_00))


def test_bills_without_periods_are_duplicates_by_their_day():
    bare = BILL._replace(service_start=None, service_end=None)
    assert kinds(bare, bare) == ["duplicate"]
    assert kinds(bare, bare._replace(bill_date=date(2026, 2, 5))) == []


def test_days_shared_with_another_bill_are_named():
    (flag,) = flags(BILL, over(date(2026, 1, 5), date(2026, 2, 4)))
    assert flag.kind == "overlap"
    assert "2026-02-01 to 2026-02-28, overlaps by 4 days" in flag.message
    assert flag.message.endswith("2026-01-05 to 2026-02-04.")


def test_days_between_two_bills_are_counted():
    (flag,) = flags(BILL, over(date(2026, 1, 1), date(2026, 1, 28)), over(date(2025, 12, 1), date(2025, 12, 31)))
    assert (flag.kind, flag.bills) == ("gap", ("bill_0",))
    assert flag.message == (
        "The previous bill ended on 2026-01-28 and this one begins on 2026-02-01: no bill covers the 3 days "
        "between them."
    )


@given(DAYS, st.integers(0, 60), DAYS, st.integers(0, 60))
def test_a_period_is_flagged_if_and_only_if_two_days_are_on_two_bills_or_on_none(first, length, others, its_length):
    bill = over(first, first + timedelta(days=length))._replace(total=1)
    other = over(others, others + timedelta(days=its_length))
    mine = {first + timedelta(days=at) for at in range(length + 1)}
    its = {others + timedelta(days=at) for at in range(its_length + 1)}
    ended = max(its)
    between = {ended + timedelta(days=at) for at in range(1, (first - ended).days)} if ended < first else set()
    wanted = ["overlap"] if len(mine & its) >= 2 else ["gap"] if len(between) >= 2 else []
    found = flags(bill, other)
    assert [flag.kind for flag in found] == wanted
    if wanted:
        assert f"{len(mine & its) or len(between)} days" in found[0].message


def test_only_bills_of_the_same_account_number_and_utility_lie_beside_each_other():
    near = over(date(2026, 1, 5), date(2026, 2, 20))
    assert kinds(BILL, near._replace(account_number="B-9")) == []
    assert kinds(BILL, near._replace(utility_types=("GAS",))) == []
    assert kinds(BILL._replace(account_number=None), near._replace(account_number=None)) == []


def test_more_than_twice_the_usual_says_both_amounts_and_what_the_usual_is():
    known = months_before(90_00, 100_00, 95_00, 105_00)
    (flag,) = flags(BILL._replace(total=195_01), *known)
    assert flag.message == (
        "The bill charges $195.01 for water: more than twice the usual $97.50, the median of the last 4 bills "
        "for this account."
    )
    assert set(flag.bills) == {"bill_0", "bill_1", "bill_2", "bill_3"}
    assert kinds(BILL._replace(total=195_00), *known) == []


def test_bills_without_an_account_number_are_compared_with_those_of_their_issuer():
    known = [one._replace(account_number=None) for one in months_before(90_00, 100_00, 95_00)]
    asked = BILL._replace(account_number=None, total=300_00)
    (flag,) = flags(asked, *known)
    assert flag.kind == "unusualAmount"
    assert kinds(asked, *[one._replace(issuer_name="Other Water") for one in known]) == []
    assert kinds(asked, *months_before(90_00, 100_00, 95_00)) == [], "of an account number"
    second_meter = known[0]._replace(total=20_00, service_start=None, service_end=None)
    assert kinds(asked, *known, second_meter) == [], "two so close may be of two meters"


def test_a_second_bill_of_a_month_without_an_account_number_is_flagged_where_it_asks_too_much():
    known = [one._replace(account_number=None) for one in [*months_before(90_00, 100_00, 95_00), BILL]]
    second = BILL._replace(account_number=None, bill_date=date(2026, 3, 12), service_start=None, service_end=None)
    assert kinds(second._replace(total=480_00), *known) == ["unusualAmount"]
    assert kinds(second._replace(total=20_00), *known) == [], "it may be of a smaller meter"


def test_two_bills_are_too_few_to_know_the_usual_and_the_last_six_are_enough():
    assert kinds(BILL._replace(total=900_00), *months_before(100_00, 100_00)) == []
    assert kinds(BILL._replace(total=900_00), *months_before(100_00, 100_00, 100_00)) == ["unusualAmount"]
    assert kinds(BILL._replace(total=900_00), *months_before(*[10_00] * 5, *[890_00] * 6)) == []


def test_a_bill_for_a_month_is_compared_per_day_with_those_for_a_quarter():
    ends = [date(2025, 4, 30), date(2025, 7, 31), date(2025, 10, 31), date(2026, 1, 31)]
    quarters = [over(end - timedelta(days=91), end)._replace(total=330_00, bill_date=end) for end in ends]
    assert kinds(BILL, *quarters) == []
    (flag,) = flags(BILL._replace(total=1_000_00), *quarters)
    assert flag.message == (
        "The bill charges $1,000.00 for water: more than twice the usual $100.43 for 28 days, the median of the last 4 "
        "bills for this account."
    )
    unknown = [one._replace(service_start=None, service_end=None) for one in quarters]
    assert kinds(BILL, *unknown) == ["unusualAmount"]


def test_a_bill_for_two_months_is_compared_per_day_with_those_for_one():
    known = months_before(90_00, 100_00, 95_00, 105_00, bill=BILL._replace(service_start=date(2026, 1, 4)))
    both = over(date(2026, 1, 4), date(2026, 2, 28))
    assert kinds(both._replace(total=200_00), *known) == []
    assert kinds(both._replace(total=2_000_00), *known) == ["unusualAmount"]
    assert kinds(both._replace(total=20_00), *known) == ["unusualAmount"]


def test_a_bill_of_winter_is_compared_with_that_of_a_year_before():
    winter_and_summer = months_before(*[2_000_00] * 2, *[300_00] * 11)
    assert kinds(BILL._replace(total=1_900_00), *winter_and_summer) == []
    assert kinds(BILL._replace(total=300_00), *winter_and_summer) == ["unusualAmount"]


def test_each_utility_of_a_bill_is_compared_with_itself_and_what_is_not_billed_is_left_out():
    known = [
        one._replace(utility_types=("WATER", "SEWER"), amounts=(("WATER", 60_00), ("SEWER", 40_00)))
        for one in months_before(100_00, 100_00, 100_00)
    ]
    amounts = (("WATER", 60_00), ("SEWER", 90_00), ("PREVIOUS_BALANCE", 500_00))
    bill = BILL._replace(utility_types=("WATER", "SEWER"), total=650_00, amounts=amounts)
    (flag,) = flags(bill, *known)
    assert flag.message.startswith("The bill charges $90.00 for sewer: more than twice the usual $40.00")


@given(st.lists(st.integers(1, 1_000_00), max_size=9), AMOUNTS)
def test_the_usual_is_the_median_of_the_last_six(totals: Sequence[int], total: int):
    bill = BILL._replace(total=total)
    usual = Fraction(median([Fraction(one) for one in totals[-6:]])) if len(totals) >= 3 else None
    wanted = usual is not None and (total > 2 * usual or 2 * total < usual)
    assert ("unusualAmount" in kinds(bill, *months_before(*totals))) == wanted


@given(DAYS, st.none() | DAYS)
def test_a_bill_due_before_its_own_day_is_flagged_and_no_other(billed: date, due: date | None):
    found = flags(BILL._replace(bill_date=billed, due_date=due))
    assert [flag.kind for flag in found] == (["dueBeforeBilled"] if due is not None and due < billed else [])
    assert not found or f"{due}, before the bill date, {billed}." in found[0].message


@given(st.lists(st.tuples(st.sampled_from(["WATER", "LATE_FEE"]), AMOUNTS), max_size=4), AMOUNTS)
def test_lines_that_do_not_sum_to_the_total_are_flagged_with_the_difference(amounts: Any, total: int):
    found = flags(BILL._replace(amounts=tuple(amounts), total=total))
    difference = total - sum(amount for _, amount in amounts)
    assert [flag.kind for flag in found] == (["doesNotSum"] if amounts and difference else [])


def test_lines_that_do_not_sum_are_said_with_their_figures():
    (flag,) = flags(BILL._replace(amounts=(("WATER", 98_90),)))
    assert flag.message == "Its lines add up to $98.90, but its total is $100.00: the lines are $1.10 less."


BILLS = st.builds(
    NewBill,
    property_id=st.just("prop_1"),
    issuer_name=st.sampled_from(["Aqua", "AQUA ", "Prairie\x00Gas"]),
    utility_types=st.sampled_from([("WATER",), ("GAS",), ("WATER", "SEWER")]),
    total=st.integers(0, 3),
    bill_date=DAYS,
    due_date=st.none() | DAYS,
    account_number=st.sampled_from([None, "1", "0-1"]),
    bill_number=st.sampled_from([None, "1", "2\u202e"]),
    service_start=st.none() | DAYS,
    service_end=st.none() | DAYS,
    billing_month=st.sampled_from([None, "2025-01", "2026-01", "2026-02"]),
    amounts=st.lists(st.tuples(st.sampled_from(["WATER", "GAS", "LATE_FEE"]), st.integers(0, 3)), max_size=3).map(
        tuple
    ),
)


@given(BILLS, st.lists(BILLS, max_size=8), st.randoms(use_true_random=False))
def test_the_order_of_the_bills_does_not_matter_and_a_flag_names_bills_that_are_there(bill, known, dice):
    earlier = [EarlierBill(f"bill_{at}", one) for at, one in enumerate(known)]
    found = KnownBills(earlier).flags_of(bill, "EUR", TODAY)
    dice.shuffle(earlier)
    assert KnownBills(earlier).flags_of(bill, "EUR", TODAY) == found
    assert len({flag.kind for flag in found}) == len([flag for flag in found if flag.kind != "unusualAmount"]) + (
        "unusualAmount" in {flag.kind for flag in found}
    )
    for flag in found:
        assert set(flag.bills) <= {one.bill_id for one in earlier}
        assert flag.message.isprintable()
        assert flag.message.endswith(".")


@given(BILLS, st.lists(BILLS, max_size=5))
def test_the_same_bill_again_is_always_a_duplicate_and_a_strangers_bill_changes_nothing(bill, known):
    assert kinds(bill, bill, *known)[0] == "duplicate"
    stranger = bill._replace(issuer_name="Somebody else", account_number="777", total=bill.total + 100)
    assert kinds(bill, *known, stranger._replace(account_number=None)) == kinds(bill, *known)
