"""Reminders go out on their days, once, and only to tenants who owe money.

After a pause, a tenant gets one reminder instead of all that were missed.
"""

from collections.abc import Iterable
from datetime import date, timedelta

import pytest
from hypothesis import given, strategies as st

from prorata.domain.accounts.reminder_plan import ReminderPlan, plan_problem
from prorata.domain.delivery.reminders import DAYS_LATE, Reminder, due_reminder
from prorata.domain.delivery.tenant_mail import Kind
from prorata.domain.invoice_states import STATUSES, Standing
from prorata.domain.limits import MOST_REMINDER_DAYS

SENT_ON, DUE = date(2026, 4, 1), date(2026, 4, 15)
INVOICE = Standing("SENT", 120_50, SENT_ON, DUE, issued=True)
PLAN = ReminderPlan(days_before=(5, 2), days_after=(1, 7, 14))
days_before = st.lists(st.integers(0, MOST_REMINDER_DAYS), max_size=5, unique=True).map(tuple)
days_after = st.lists(st.integers(1, MOST_REMINDER_DAYS), max_size=5, unique=True).map(tuple)
plans = st.builds(ReminderPlan, days_before, days_after)


def sent_on(days: Iterable[int], plan: ReminderPlan = PLAN, standing: Standing = INVOICE) -> list[tuple[int, Reminder]]:
    """Return the reminders that are sent when the program runs on these days.

    Each day is counted from the due date.
    """
    sent: list[tuple[int, Reminder]] = []
    for day in days:
        already = [reminder.offset for _, reminder in sent]
        found = due_reminder(standing, plan, sent=already, reachable=True, today=DUE + timedelta(days=day))
        sent += [(day, found)] if found else []
    return sent


def test_each_reminder_is_sent_once_on_its_day() -> None:
    assert sent_on(range(-14, 60)) == [
        (-5, Reminder(Kind.BEFORE_DUE, -5)),
        (-2, Reminder(Kind.BEFORE_DUE, -2)),
        (1, Reminder(Kind.OVERDUE, 1)),
        (7, Reminder(Kind.OVERDUE, 7)),
        (14, Reminder(Kind.OVERDUE, 14)),
    ]


def test_each_side_of_the_due_date_is_switched_on_by_itself() -> None:
    assert [day for day, _ in sent_on(range(-14, 60), PLAN._replace(days_after=()))] == [-5, -2]
    assert [day for day, _ in sent_on(range(-14, 60), PLAN._replace(days_before=()))] == [1, 7, 14]
    assert sent_on(range(-14, 60), ReminderPlan()) == []


def test_after_a_pause_only_the_latest_that_applies_is_sent() -> None:
    assert sent_on([-6, 10, 11, 12]) == [(10, Reminder(Kind.OVERDUE, 7))]
    assert sent_on([-6, -1, 0]) == [(-1, Reminder(Kind.BEFORE_DUE, -2))]


def test_a_reminder_that_was_missed_says_what_is_true_on_the_day_it_is_sent() -> None:
    assert sent_on([0]) == [(0, Reminder(Kind.DUE_TODAY, -2))]
    assert sent_on([0], ReminderPlan(days_before=(0,))) == [(0, Reminder(Kind.DUE_TODAY, 0))]


def test_before_the_due_date_nothing_is_made_good_after_it() -> None:
    assert sent_on([1, 2, 30], PLAN._replace(days_after=())) == []


def test_reminders_switched_on_late_reach_no_old_invoices() -> None:
    assert sent_on([14 + DAYS_LATE]) == [(14 + DAYS_LATE, Reminder(Kind.OVERDUE, 14))]
    assert sent_on([14 + DAYS_LATE + 1, 400]) == []


def test_no_reminder_lies_on_or_before_the_day_the_invoice_was_sent() -> None:
    late = INVOICE._replace(invoice_date=DUE - timedelta(days=2))
    assert [day for day, _ in sent_on(range(-2, 3), standing=late)] == [1]


@pytest.mark.parametrize("status", STATUSES)
def test_only_what_is_sent_or_overdue_is_reminded_of(status: str) -> None:
    found = sent_on([7], standing=INVOICE._replace(status=status))
    assert bool(found) == (status in ("SENT", "OVERDUE"))


@pytest.mark.parametrize(
    "standing",
    [
        INVOICE._replace(paid_amount=120_50),
        INVOICE._replace(total=0),
        INVOICE._replace(total=-5_00),
        INVOICE._replace(due_date=None),
    ],
)
def test_nothing_owed_is_nothing_reminded_of(standing: Standing) -> None:
    assert sent_on(range(-14, 60), standing=standing) == []


def test_a_rest_is_reminded_of_like_the_whole() -> None:
    assert sent_on([7], standing=INVOICE._replace(paid_amount=120_49))


def test_without_somebody_to_write_to_nothing_is_due() -> None:
    assert due_reminder(INVOICE, PLAN, sent=(), reachable=False, today=DUE + timedelta(days=7)) is None


@given(plans, st.lists(st.integers(-MOST_REMINDER_DAYS - 5, MOST_REMINDER_DAYS + 30), max_size=40).map(sorted))
def test_on_whatever_days_the_program_runs_each_reminder_is_sent_at_most_once_and_in_order(
    plan: ReminderPlan, days: list[int]
) -> None:
    sent = sent_on(days, plan)
    offsets = [reminder.offset for _, reminder in sent]

    assert plan_problem(plan) is None
    assert offsets == sorted(set(offsets))
    assert len({day for day, _ in sent}) == len(sent)
    for day, (kind, offset) in sent:
        assert day >= offset
        assert kind is (Kind.BEFORE_DUE if day < 0 else Kind.OVERDUE if day > 0 else Kind.DUE_TODAY)
        assert offset > 0 or day <= 0


@pytest.mark.parametrize(
    ("plan", "says"),
    [
        (ReminderPlan(days_before=(1, 2, 3, 4, 5, 6)), "at most 5"),
        (ReminderPlan(days_before=(-1,)), "0 to 60 days before"),
        (ReminderPlan(days_before=(61,)), "0 to 60 days before"),
        (ReminderPlan(days_after=(0,)), "1 to 60 days after"),
    ],
)
def test_a_plan_that_cannot_be_kept_is_said_to_be(plan: ReminderPlan, says: str) -> None:
    assert says in (plan_problem(plan) or "")
