from datetime import date

import pytest
from hypothesis import given, settings, strategies as st

from prorata.domain.bills.bills import NewBill, billing_month, fingerprint, lines_of
from prorata.domain.utility_names import NOT_BILLED_REASONS, UTILITY_TYPES
from tests.conftest import SOAK

BILL = NewBill("prop_1", "City of Reno", ("WATER",), 100_00, date(2026, 3, 14))


@settings(max_examples=5_000 if SOAK else 200)
@given(st.integers(-(10**12), 10**12), st.lists(st.sampled_from(UTILITY_TYPES), min_size=1, max_size=7, unique=True))
def test_the_lines_of_a_combined_bill_sum_to_its_total_and_differ_by_a_cent_at_most(total, types):
    lines, guessed = lines_of(BILL._replace(total=total, utility_types=tuple(types)))
    amounts = [line.amount for line in lines]
    assert sum(amounts) == total
    assert max(amounts) - min(amounts) <= 1
    assert [line.utility_type for line in lines] == types
    assert guessed is (len(types) > 1)


def test_a_bill_of_one_type_has_one_line_and_nothing_is_guessed():
    ((line,), guessed) = lines_of(BILL)
    assert (line.utility_type, line.not_billed, line.amount) == ("WATER", None, 100_00)
    assert not guessed


def test_a_bill_with_amounts_has_a_line_for_each_and_those_not_billed_say_why():
    bill = BILL._replace(total=85_00, amounts=(("WATER", 100_00), ("LATE_FEE", 5_00), ("PREVIOUS_BALANCE", -20_00)))
    lines, guessed = lines_of(bill)
    assert [tuple(line) for line in lines] == [
        ("WATER", None, 100_00),
        (None, "LATE_FEE", 5_00),
        (None, "PREVIOUS_BALANCE", -20_00),
    ]
    assert not guessed
    assert {"LATE_FEE", "PREVIOUS_BALANCE"} <= set(NOT_BILLED_REASONS)


def test_amounts_that_do_not_sum_to_the_total_never_become_lines():
    with pytest.raises(AssertionError):
        lines_of(BILL._replace(amounts=(("WATER", 99_99),)))


@pytest.mark.parametrize(
    ("change", "month"),
    [
        ({}, "2026-03"),
        ({"billing_month": "2026-01"}, "2026-01"),
        ({"service_start": date(2026, 1, 20), "service_end": date(2026, 2, 19)}, "2026-02"),
        ({"service_start": date(2026, 2, 1)}, "2026-03"),
        ({"service_end": date(2026, 2, 1)}, "2026-03"),
        ({"service_start": date(2026, 1, 1), "service_end": date(2026, 1, 31), "billing_month": "2025-12"}, "2025-12"),
    ],
)
def test_the_billing_month_is_a_persons_choice_then_the_service_periods_then_the_bill_dates(change, month):
    assert billing_month(BILL._replace(**change)) == month


@pytest.mark.parametrize(
    "change",
    [
        {"property_id": "prop_2"},
        {"issuer_name": "City of Sparks"},
        {"utility_types": ("WATER", "SEWER")},
        {"total": 100_01},
        {"bill_date": date(2026, 3, 15)},
        {"account_number": "1"},
        {"bill_number": "1"},
    ],
)
def test_bills_that_differ_in_what_tells_them_apart_have_other_fingerprints(change):
    assert fingerprint(BILL._replace(**change)) != fingerprint(BILL)


@pytest.mark.parametrize(
    "change",
    [
        {"issuer_name": " CITY of reno "},
        {"due_date": date(2026, 4, 1)},
        {"payment_status": "PAID"},
        {"notes": "paid by card"},
        {"service_start": date(2026, 2, 1), "service_end": date(2026, 2, 28)},
        {"billing_month": "2026-01"},
        {"account_number": " "},
    ],
)
def test_what_does_not_tell_bills_apart_leaves_the_fingerprint(change):
    assert fingerprint(BILL._replace(**change)) == fingerprint(BILL)


def test_the_order_of_the_types_makes_no_other_bill():
    two = BILL._replace(utility_types=("WATER", "SEWER"))
    assert fingerprint(two) == fingerprint(two._replace(utility_types=("SEWER", "WATER")))


@given(st.text(max_size=6), st.text(max_size=6))
def test_account_number_and_bill_number_do_not_run_together(one, other):
    split = fingerprint(BILL._replace(account_number=one + "a", bill_number="b" + other))
    assert split != fingerprint(BILL._replace(account_number=one + "ab", bill_number=other))
