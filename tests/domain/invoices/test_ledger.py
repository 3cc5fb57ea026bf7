"""The ledger of an invoice follows docs/decisions.md#ledger.

Random steps are also compared with a model that adds up the amounts simply.
"""

from datetime import date, timedelta

import pytest
from hypothesis import example, given, strategies as st

from prorata.domain.invoice_states import (
    CANCELLED,
    DRAFT,
    OVERDUE,
    PAID,
    SENT,
    STATUSES,
    Standing,
    change_status,
    status_of_payment,
)
from prorata.domain.invoices.ledger import (
    CARRY,
    CASH,
    PAYMENT,
    REFUND,
    REVERSAL,
    Entry,
    Position,
    covered_at,
    entry_problems,
    follow,
    money_of,
    position,
    proposed_refund,
    received,
    refund_problem,
    refundable,
    reversal_refused,
)

MADE, TODAY, NOW = date(2026, 3, 2), date(2026, 3, 10), "2026-03-10T09:00:00.000Z"
LATER = date(2026, 4, 20)


def entry(number, kind, amount, reverses=None, day=9):
    return Entry(f"pay_{number}", kind, amount, f"2026-03-{day:02}", reverses)


def standing_in(status, total=100_00):
    return change_status(Standing(DRAFT, total, MADE), status, today=MADE, now=NOW, terms=14)


def with_entries(standing, entries, today=TODAY, has_tenant=True, **more):
    return follow(standing, entries, today=today, has_tenant=has_tenant, **more)


# --- each sentence ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [SENT, OVERDUE])
def test_money_that_covers_what_was_sent_makes_it_paid_on_the_day_it_came(status):
    after = with_entries(standing_in(status), [entry(1, PAYMENT, 100_00, day=4)])
    assert (after.status, after.payment_status, after.paid_amount) == (PAID, "paid", 100_00)
    assert (after.paid_by_status, after.paid_at) == (0, "2026-03-04")


def test_partial_payments_add_up_and_the_last_one_pays():
    first = with_entries(standing_in(SENT), [entry(1, PAYMENT, 99_99)])
    assert (first.status, first.payment_status, first.paid_at) == (SENT, "pending", None)
    both = with_entries(first, [entry(1, PAYMENT, 99_99), entry(2, PAYMENT, 1)])
    assert (both.status, both.paid_amount) == (PAID, 100_00)


def test_what_is_too_much_is_a_credit_and_giving_that_back_leaves_it_paid():
    too_much = [entry(1, PAYMENT, 120_00)]
    paid = with_entries(standing_in(SENT), too_much)
    assert position(paid.status, paid.total, paid.paid_amount).credit == 20_00
    even = with_entries(paid, [*too_much, entry(2, REFUND, 20_00)], today=LATER)
    assert (even.status, even.paid_amount, even.paid_at) == (PAID, 100_00, paid.paid_at)


@pytest.mark.parametrize(
    ("today", "tenant", "status"), [(TODAY, True, SENT), (LATER, True, OVERDUE), (LATER, False, SENT)]
)
def test_a_refund_returns_it_to_sent_or_overdue_by_its_due_date(today, tenant, status):
    came = [entry(1, PAYMENT, 100_00)]
    paid = with_entries(standing_in(SENT), came)
    for back in (100_00, 1):
        after = with_entries(paid, [*came, entry(2, REFUND, back)], today=today, has_tenant=tenant)
        assert (after.status, after.payment_status, after.paid_at) == (status, "pending", None)
        assert after.paid_amount == 100_00 - back


@pytest.mark.parametrize("status", [DRAFT, CANCELLED])
def test_money_on_a_draft_and_on_a_cancelled_invoice_is_noted_and_their_status_stays(status):
    after = with_entries(standing_in(status), [entry(1, PAYMENT, 100_00)])
    assert (after.status, after.paid_amount) == (status, 100_00)
    assert after.payment_status == ("cancelled" if status == CANCELLED else "paid")
    open_ = position(after.status, after.total, after.paid_amount)
    assert (open_.on_draft, open_.refund_due) == ((0, 100_00) if status == CANCELLED else (100_00, 0))


def test_what_somebody_set_back_to_sent_is_paid_by_more_money_and_by_nothing_less():
    came = [entry(1, PAYMENT, 120_00)]
    sent = change_status(with_entries(standing_in(SENT), came), SENT, today=TODAY, now=NOW, terms=14)
    assert (sent.status, sent.paid_amount, sent.payment_status) == (SENT, 120_00, "paid")
    less = with_entries(sent, [*came, entry(2, REFUND, 10_00)])
    assert (less.status, less.paid_amount, less.payment_status) == (SENT, 110_00, "paid")
    assert with_entries(sent, came).status == SENT
    assert with_entries(sent, [*came, entry(2, PAYMENT, 1)]).status == PAID


def test_a_total_of_one_cent_is_covered_by_one():
    after = with_entries(standing_in(SENT, 1), [entry(1, PAYMENT, 1, day=4)])
    assert (after.status, after.payment_status, after.paid_at) == (PAID, "paid", "2026-03-04")


def test_what_paid_noted_and_money_that_comes_then_are_two_sums():
    noted = with_entries(standing_in(PAID), [entry(1, PAYMENT, 100_00)])
    assert (noted.status, noted.paid_amount, noted.paid_by_status) == (PAID, 200_00, 100_00)
    back = change_status(noted, SENT, today=TODAY, now=NOW, terms=14)
    assert (back.paid_amount, back.payment_status) == (100_00, "paid")


def test_an_entry_can_say_what_paid_noted_and_is_then_no_second_sum():
    came = [entry(1, PAYMENT, 60_00)]
    part = with_entries(standing_in(PAID), came, in_place_of_noted=60_00)
    assert (part.status, part.paid_amount, part.paid_by_status) == (PAID, 100_00, 40_00)
    came.append(entry(2, PAYMENT, 40_00, day=3))
    whole = with_entries(part, came, in_place_of_noted=40_00)
    assert (whole.paid_amount, whole.paid_by_status, whole.paid_at) == (100_00, 0, "2026-03-09")


def test_a_reversal_makes_its_entry_count_for_nothing():
    came = [entry(1, PAYMENT, 100_00)]
    paid = with_entries(standing_in(SENT), came)
    after = with_entries(paid, [*came, entry(2, REVERSAL, 100_00, "pay_1")])
    assert (after.status, after.paid_amount) == (SENT, 0)
    given = [*came, entry(2, REFUND, 100_00), entry(3, REVERSAL, 100_00, "pay_2")]
    assert with_entries(after, given).status == PAID


def test_a_zero_or_negative_total_is_not_paid_by_money():
    for total in (0, -30_00):
        after = with_entries(standing_in(SENT, total), [entry(1, PAYMENT, 5_00)])
        assert (after.status, after.payment_status, after.paid_at) == (SENT, "pending", None)
        assert position(after.status, after.total, after.paid_amount).credit == 5_00 - total


def test_what_was_noted_below_zero_is_no_money_that_a_draft_or_a_cancelled_invoice_has():
    assert position(CANCELLED, 100_00, -1) == Position()
    assert position(DRAFT, 0, -1) == Position(owed=1)
    assert position(PAID, 100_00, 120_00, has_left=True) == Position(refund_due=20_00)


def test_a_credit_below_zero_is_refunded_once_it_was_sent_and_only_by_what_is_left():
    came = [entry(1, PAYMENT, 5_00)]
    assert [refundable(status, -20_00, 0, []) for status in (DRAFT, CANCELLED, SENT, OVERDUE)] == [0, 0, 20_00, 20_00]
    assert refundable(SENT, -20_00, 0, [entry(1, REFUND, 15_00)]) == 5_00
    assert refundable(PAID, -20_00, -15_00, []) == 5_00
    assert refundable(SENT, -1, 0, []) == 1
    assert refundable(PAID, 0, 9_00, came) == refundable(PAID, -20_00, -21_00, came) == 5_00


def test_the_proposed_refund_leaves_carried_credits_where_they_are():
    came, carried = entry(1, PAYMENT, 110_00), entry(2, CARRY, -10_00)
    assert proposed_refund(PAID, 100_00, 0, [came]) == 10_00, "a credit is left"
    assert proposed_refund(PAID, 100_00, 0, [came, carried]) == 100_00
    assert proposed_refund(SENT, 100_00, 0, [entry(1, PAYMENT, 30_00), entry(2, CARRY, 60_00)]) == 30_00
    assert proposed_refund(SENT, -60_00, 0, [entry(1, CARRY, -40_00)]) == 20_00
    assert proposed_refund(SENT, -60_00, 0, [entry(1, CARRY, -60_00)]) <= 0
    assert proposed_refund(CANCELLED, 100_00, 0, [came]) == 110_00
    assert proposed_refund(DRAFT, -60_00, 0, [came]) == 110_00, "a draft owes nothing of its own yet"
    assert proposed_refund(PAID, 100_00, 20_00, [came]) == 30_00
    assert proposed_refund(PAID, -60_00, -60_00, []) == proposed_refund(PAID, 100_00, 100_00, []) == 0


def test_no_more_is_refunded_than_was_received_and_nothing_is_taken_back_twice():
    entries = [entry(1, PAYMENT, 50_00), entry(2, REFUND, 20_00)]
    assert refundable(SENT, 50_00, 0, entries) == 30_00
    assert refund_problem(30_00, 30_00, "USD") is None
    assert "more than $30.00 on" in refund_problem(30_01, 30_00, "USD").message
    assert "more than $0.00 on" in refund_problem(1, -5_00, "USD").message
    assert "refund first" in reversal_refused(entries, "pay_1")
    entries.append(entry(3, REVERSAL, 20_00, "pay_2"))
    assert "already" in reversal_refused(entries, "pay_2")
    assert "can't be reversed" in reversal_refused(entries, "pay_3")
    assert reversal_refused(entries, "pay_1") is None


def test_what_is_entered_is_looked_at_field_by_field():
    def fields(**more):
        values = {"amount": 1, "day": TODAY, "method": CASH, "note": None, "reference": None} | more
        return [one.field for one in entry_problems(*values.values(), today=TODAY)]

    assert fields() == fields(note="x" * 500, reference="x" * 140, amount=999_999_999_999, day=date(2000, 1, 1)) == []
    assert fields(amount=0) == fields(amount=1_000_000_000_000) == ["amount"]
    assert fields(day=TODAY + timedelta(days=1)) == fields(day=date(1999, 12, 31)) == ["date"]
    assert fields(note="x" * 501, reference="x" * 141, method="cash") == ["method", "note", "reference"]


# --- any order of steps, against a model ------------------------------------------------------------------------------


class Model:
    """A model of a ledger as sheets of paper.

    Each sheet has an amount received or paid back, and may be struck out. The model also has the amount that the status
    PAID stood for.
    """

    def __init__(self, total):
        self.total, self.status, self.papers, self.word = total, DRAFT, {}, 0

    def money(self):
        return sum(amount for amount, struck in self.papers.values() if not struck)

    def covered(self):
        return self.money() >= self.total > 0

    def say(self, status):
        if status != self.status:
            self.status = status
            self.word = 0 if status != PAID or self.covered() else self.total - self.money()

    def put(self, number, amount):
        more = self.put_down(number, amount)
        if self.status == PAID and self.money() + self.word < self.total:
            self.status, self.word = "waits", 0
        elif self.status in {SENT, OVERDUE, "waits"} and self.covered() and more:
            self.status = PAID

    def put_down(self, number, amount):
        before = self.money()
        if amount is None:
            was, _ = self.papers[number]
            self.papers[number] = (was, True)
        else:
            self.papers[number] = (amount, False)
        return self.money() > before


STEP = st.one_of(
    st.tuples(st.just("status"), st.sampled_from(STATUSES)),
    st.tuples(st.just("pay"), st.integers(1, 80_00)),
    st.tuples(st.just("refund"), st.integers(1, 80_00)),
    st.tuples(st.just("back"), st.integers(1, 8)),
    st.tuples(st.just("total"), st.integers(-20_00, 150_00)),
)


@example(0, [("pay", 10_00), ("status", PAID)], False)
@example(0, [("pay", 1), ("status", PAID), ("refund", 1)], True)
@given(st.integers(-50_00, 150_00), st.lists(STEP, max_size=12), st.booleans())
def test_any_order_of_steps_ends_as_counted_on_fingers(total, steps, is_late):
    today = LATER if is_late else TODAY
    model, standing, entries = Model(total), Standing(DRAFT, total, MADE), []
    for what, value in steps:
        if what == "status":
            standing = change_status(standing, value, today=MADE, now=NOW, terms=14)
            model.say(value)
        elif what == "total":
            if standing.status == DRAFT:  # nothing else is computed again
                payment_status = status_of_payment(standing.paid_amount, value)
                standing = standing._replace(total=value, payment_status=payment_status)
                model.total = value
        else:
            made = new_entry(entries, what, value)
            if made is None:
                continue
            entries.append(made)
            standing = with_entries(standing, entries, today=today)
            if made.reverses:
                model.put(made.reverses, None)
            else:
                model.put(made.id, made.amount if what == "pay" else -made.amount)
            if model.status == "waits":
                is_overdue = standing.due_date < today and model.money() < model.total
                model.status = OVERDUE if is_overdue else SENT
        agrees(standing, model, entries)


def new_entry(entries, what, value):
    """The ledger entry of a step, or None if the step is refused."""
    number = len(entries) + 1
    if what == "back":
        refused = value > len(entries) or reversal_refused(entries, f"pay_{value}")
        return None if refused else entry(number, REVERSAL, entries[value - 1].amount, f"pay_{value}")
    if what == "refund" and refund_problem(value, money_of(entries), "USD"):
        return None
    return entry(number, PAYMENT if what == "pay" else REFUND, value, day=1 + value % 20)


def agrees(standing, model, entries):
    assert standing.status == model.status
    assert standing.paid_by_status == model.word
    assert standing.paid_amount == model.money() + model.word
    assert model.money() == received(entries) >= 0
    assert standing.paid_by_status >= 0 or model.total <= 0
    reads_paid = model.status == PAID or (model.status != CANCELLED and model.covered())
    assert standing.payment_status == (
        "cancelled" if model.status == CANCELLED else "paid" if reads_paid else "pending"
    )
    assert (covered_at(entries, model.total) is not None) == model.covered()
    if standing.status == PAID:
        assert standing.paid_amount >= standing.total
        assert standing.paid_at is not None


@given(st.lists(st.tuples(st.integers(1, 50_00), st.integers(1, 28)), max_size=6), st.randoms())
def test_the_order_in_which_payments_are_entered_decides_nothing(payments, random):
    entries = [entry(number, PAYMENT, amount, day=day) for number, (amount, day) in enumerate(payments)]
    shuffled = list(entries)
    random.shuffle(shuffled)
    ends = []
    for order in (entries, shuffled):
        standing = standing_in(SENT)
        for upto in range(1, len(order) + 1):
            standing = with_entries(standing, order[:upto])
        ends.append(standing)
    assert ends[0] == ends[1]
