"""Every change of status has the effects in docs/decisions.md#status-changes."""

from datetime import date

import pytest
from hypothesis import given, strategies as st

from prorata.domain.invoice_states import (
    CANCELLED,
    CLOSING,
    DRAFT,
    OVERDUE,
    PAID,
    SENT,
    STATUSES,
    UNSENT,
    Standing,
    change_status,
    falls_overdue,
    status_of_payment,
)

MADE, TODAY, NOW = date(2026, 3, 2), date(2026, 3, 10), "2026-03-10T09:00:00.000Z"
PAIRS = [(was, status) for was in STATUSES for status in STATUSES]


def changed(standing, status, today=TODAY):
    return change_status(standing, status, today=today, now=NOW, terms=14)


def standing_in(status, total=100_00):
    """The standing of a draft that was set to `status` on its first day."""
    return changed(Standing(DRAFT, total, MADE), status, MADE)


@pytest.mark.parametrize(("was", "status"), PAIRS)
def test_any_status_can_be_set_from_any_and_nothing_else_moves_it(was, status):
    assert changed(standing_in(was), status).status == status


@pytest.mark.parametrize("status", STATUSES)
def test_the_same_status_again_does_nothing(status):
    before = standing_in(status)
    assert changed(before, status) == before


@pytest.mark.parametrize(("was", "status"), PAIRS)
def test_paid_records_a_payment_of_the_balance_and_leaving_it_takes_that_back(was, status):
    after = changed(standing_in(was), status)
    if status == PAID:
        assert (after.paid_amount, after.paid_by_status, after.payment_status) == (100_00, 100_00, "paid")
        assert after.paid_at == NOW
    else:
        assert (after.paid_amount, after.paid_by_status, after.paid_at) == (0, 0, None)


@pytest.mark.parametrize(("was", "status"), PAIRS)
def test_cancelled_cancels_the_payment_and_leaving_it_makes_it_pending(was, status):
    expected = {PAID: "paid", CANCELLED: "cancelled"}.get(status, "pending")
    assert changed(standing_in(was), status).payment_status == expected


@pytest.mark.parametrize(("was", "status"), PAIRS)
def test_the_invoice_date_becomes_the_day_of_sending(was, status):
    after = changed(standing_in(was), status)
    assert after.invoice_date == (TODAY if status == SENT and was in UNSENT else MADE)


@pytest.mark.parametrize(("was", "status"), PAIRS)
def test_what_closes_a_month_is_due_the_terms_after_its_date_and_counts_as_issued(was, status):
    after = changed(standing_in(was), status)
    if status in CLOSING:
        assert (after.due_date - after.invoice_date).days == 14
    assert after.issued == (was in CLOSING or status in CLOSING)


def test_an_invoice_that_is_sent_again_is_due_again():
    first = changed(Standing(DRAFT, 100_00, MADE), SENT, date(2026, 3, 3))
    again = changed(changed(first, DRAFT), SENT, date(2026, 4, 20))
    assert (again.invoice_date, again.due_date) == (date(2026, 4, 20), date(2026, 5, 4))


@pytest.mark.parametrize("status", [PAID, OVERDUE])
def test_what_was_sent_stays_due_when_it_was_whatever_terms_the_account_has_by_then(status):
    sent = changed(Standing(DRAFT, 100_00, MADE), SENT, date(2026, 3, 3))
    after = change_status(sent, status, today=TODAY, now=NOW, terms=30)
    assert (after.invoice_date, after.due_date) == (date(2026, 3, 3), date(2026, 3, 17))


@pytest.mark.parametrize("status", UNSENT)
@pytest.mark.parametrize("was", CLOSING)
def test_a_draft_and_a_cancelled_invoice_that_is_sent_again_are_due_at_no_time_of_before(was, status):
    unsent = changed(standing_in(was), status)
    assert (unsent.due_date is None) == (status == DRAFT)
    assert changed(unsent, SENT, date(2026, 4, 20)).due_date == date(2026, 5, 4)


def test_an_invoice_that_is_reminded_of_keeps_its_dates():
    sent = changed(Standing(DRAFT, 100_00, MADE), SENT, date(2026, 3, 3))
    back = changed(changed(sent, OVERDUE, date(2026, 4, 1)), SENT, date(2026, 4, 2))
    assert (back.invoice_date, back.due_date) == (sent.invoice_date, sent.due_date)


@given(st.lists(st.sampled_from(STATUSES), max_size=8), st.integers(-500_00, 500_00), st.integers(0, 600_00))
def test_payments_received_otherwise_survive_every_status(path, total, received):
    standing = Standing(DRAFT, total, MADE, paid_amount=received, payment_status=status_of_payment(received, total))
    for status in path:
        standing = changed(standing, status)
        assert standing.paid_amount - standing.paid_by_status == received
        if standing.status == PAID:
            assert standing.paid_amount == (received if received >= total > 0 else total)
        elif standing.status != CANCELLED:
            assert standing.payment_status == ("paid" if received >= total > 0 else "pending")


def test_leaving_cancelled_with_money_that_covers_it_reads_paid():
    covered = Standing(DRAFT, 50_00, MADE, paid_amount=60_00, paid_at=NOW, payment_status="paid")
    cancelled = changed(covered, CANCELLED)
    assert (cancelled.payment_status, cancelled.paid_amount) == ("cancelled", 60_00)
    back = changed(cancelled, DRAFT)
    assert (back.payment_status, back.paid_at) == ("paid", NOW)


@pytest.mark.parametrize(
    ("change", "falls"),
    [
        ({}, True),
        ({"status": DRAFT}, False),
        ({"status": PAID}, False),
        ({"status": OVERDUE}, False),
        ({"status": CANCELLED}, False),
        ({"due_date": TODAY}, False),
        ({"due_date": None}, False),
        ({"total": 0}, False),
        ({"total": -5_00}, False),
        ({"paid_amount": 99_99}, True),
        ({"paid_amount": 100_00}, False),
    ],
)
def test_only_what_was_sent_is_past_due_and_has_a_balance_falls_overdue(change, falls):
    sent = Standing(SENT, 100_00, MADE, date(2026, 3, 9), issued=True)._replace(**change)
    assert falls_overdue(sent, today=TODAY, has_tenant=True) is falls
    assert falls_overdue(sent, today=TODAY, has_tenant=False) is False
