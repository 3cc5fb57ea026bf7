"""Tests of entering, refunding and taking back payments.

They check what is stored, and who may do it.
"""

from datetime import date, timedelta

import pytest

from prorata.actions.audit import activity
from prorata.actions.invoices import invoices
from prorata.actions.payments import payments
from prorata.actions.payments.payments import Received, TakenBack
from prorata.domain.invoices.ledger import CASH, CHEQUE, REFUND
from prorata.errors import Conflict, InvalidRequest, NotFound
from prorata.store.invoices import invoices as stored_invoices
from prorata.store.payments import payments as stored_payments
from tests.landlord import Landlord

TODAY = date(2026, 3, 10)


@pytest.fixture
def maple(landlord: Landlord):
    """Two units with a tenant each, and $90.00 of water for February."""
    maple = landlord.property_()
    for label, name in (("1", "Ann"), ("2", "Bo")):
        landlord.tenant(landlord.unit(maple, label), name, email=f"{name.lower()}@example.org")
    landlord.bill(maple, 90_00)
    return maple


def invoice_of(landlord, maple, label="1", month="2026-02"):
    return landlord.invoices(maple, month)[label].summary


def receive(landlord, invoice, amount, **more):
    return landlord.do(payments.receive, invoice.id, Received(amount, more.pop("day", TODAY), **more))


def stored(landlord, invoice):
    return landlord.read(stored_invoices.find, invoice.id)


def test_payments_add_up_until_they_cover_the_invoice_which_is_then_paid(landlord, maple):
    one = landlord.set_status(maple, "1", "SENT").summary
    receive(landlord, one, 20_00, method=CASH, note="at the door")
    row = stored(landlord, one)
    assert (row.status, row.paid_amount, row.payment_status, row.paid_at) == ("SENT", 20_00, "pending", None)
    assert landlord.month(maple).received == 20_00
    receive(landlord, one, 25_00, day=TODAY - timedelta(days=3), method=CHEQUE, reference="1042")
    row = stored(landlord, one)
    assert (row.status, row.paid_amount, row.payment_status, row.entries) == ("PAID", 45_00, "paid", 2)
    assert row.paid_at == landlord.clock().isoformat(timespec="milliseconds").replace("+00:00", "Z")
    month = landlord.month(maple)
    assert (month.sent, month.paid, month.received) == (0, 1, 45_00)
    entries = landlord.see(payments.ledger, one.id).entries
    assert [(row.amount, row.method, row.day, row.note, row.reference) for row in entries] == [
        (20_00, "CASH", "2026-03-10", "at the door", None),
        (25_00, "CHEQUE", "2026-03-07", None, "1042"),
    ]


def test_a_refund_reopens_the_balance_and_what_was_entered_by_mistake_counts_for_nothing(landlord, maple):
    one = landlord.set_status(maple, "1", "SENT").summary
    mistake = receive(landlord, one, 45_00)
    landlord.do(payments.take_back, one.id, mistake, TakenBack(note="it was Bo's"))
    assert invoice_of(landlord, maple).status == "SENT"
    receive(landlord, one, 50_00)
    shown = landlord.see(payments.ledger, one.id)
    assert (shown.invoice.status, shown.position.credit) == ("PAID", 5_00)
    receive(landlord, one, 50_00, kind=REFUND)
    shown = landlord.see(payments.ledger, one.id)
    assert (shown.invoice.status, shown.invoice.paid_amount, shown.position.owed) == ("SENT", 0, 45_00)
    assert [row.kind for row in shown.entries] == ["PAYMENT", "REVERSAL", "PAYMENT", "REFUND"]
    month = landlord.month(maple)
    assert (month.sent, month.paid, month.received) == (1, 0, 0)


def test_after_its_due_date_a_refunded_invoice_is_overdue(landlord, maple, clock):
    one = landlord.set_status(maple, "1", "SENT").summary
    receive(landlord, one, 45_00)
    clock.forward(days=30)
    receive(landlord, one, 45_00, kind=REFUND)
    assert invoice_of(landlord, maple).status == "OVERDUE"
    assert landlord.month(maple).overdue == 1


def test_what_carries_a_mark_counts_once_however_often_it_comes(landlord, maple):
    one = landlord.set_status(maple, "1", "SENT").summary
    first = receive(landlord, one, 45_00, provider="sandbox", source="sandbox:ch_1")
    assert receive(landlord, one, 45_00, provider="sandbox", source="sandbox:ch_1") == first
    assert stored(landlord, one).paid_amount == 45_00
    twice = [(one.id, Received(1_00, TODAY, source="file:a"))] * 2
    ids = landlord.do(payments.receive_many, twice)
    assert len(set(ids)) == 1
    assert stored(landlord, one).paid_amount == 46_00
    back = landlord.do(payments.take_back, one.id, first, TakenBack(provider="sandbox", source="sandbox:dp_1"))
    again = landlord.do(payments.take_back, one.id, first, TakenBack(provider="sandbox", source="sandbox:dp_1"))
    assert back == again
    assert stored(landlord, one).paid_amount == 1_00


@pytest.mark.parametrize("status", ["DRAFT", "CANCELLED"])
def test_money_on_a_draft_or_a_cancelled_invoice_is_noted_and_its_status_stays(landlord, maple, status):
    landlord.set_status(maple, "1", status)
    one = invoice_of(landlord, maple)
    receive(landlord, one, 45_00)
    shown = landlord.see(payments.ledger, one.id)
    assert (shown.invoice.status, shown.invoice.paid_amount) == (status, 45_00)
    assert shown.position.refund_due == (45_00 if status == "CANCELLED" else 0)
    assert landlord.month(maple).received == (0 if status == "CANCELLED" else 45_00)
    landlord.sound()
    landlord.set_status(maple, "1", "DRAFT" if status == "CANCELLED" else "SENT")
    shown = landlord.see(payments.ledger, one.id)
    assert (shown.invoice.payment_status, shown.position.owed) == ("paid", 0)
    assert landlord.month(maple).received == 45_00


def test_a_recalculated_total_is_followed_by_what_the_ledger_says(landlord, maple):
    one = landlord.set_status(maple, "1", "SENT").summary
    receive(landlord, one, 45_00)
    landlord.bill(maple, 10_00, "GAS")
    assert invoice_of(landlord, maple).status == "PAID"
    landlord.set_status(maple, "1", "DRAFT")
    draft = invoice_of(landlord, maple)
    assert (draft.total, draft.paid_amount, draft.payment_status, draft.paid_at) == (50_00, 45_00, "pending", None)
    landlord.do(invoices.add_custom_charge, draft.id, "Rebate", -6_00)
    draft = invoice_of(landlord, maple)
    assert (draft.total, draft.payment_status, draft.paid_at is not None) == (44_00, "paid", True)
    assert landlord.see(payments.ledger, draft.id).position.credit == 1_00


@pytest.mark.parametrize("is_custom", [True, False])
def test_a_total_that_falls_below_what_came_was_paid_when_the_money_came(landlord, maple, clock, is_custom):
    receive(landlord, invoice_of(landlord, maple), 40_00, day=date(2026, 3, 1))
    clock.forward(days=5)
    if is_custom:
        landlord.do(invoices.add_custom_charge, invoice_of(landlord, maple).id, "credit", -10_00)
    else:
        landlord.bill(maple, -20_00)
    row = invoice_of(landlord, maple)
    assert (row.status, row.total, row.payment_status) == ("DRAFT", 35_00, "paid")
    assert row.paid_at is not None
    assert row.paid_at.startswith("2026-03-01")


def test_a_draft_with_a_ledger_stays_when_its_last_line_goes(landlord, maple):
    (bill,) = landlord.stored_bills(maple)
    one = invoice_of(landlord, maple)
    entry = receive(landlord, one, 45_00)
    landlord.do(payments.take_back, one.id, entry)
    landlord.remove_bill(bill)
    assert list(landlord.invoices(maple)) == ["1"]
    assert invoice_of(landlord, maple).total == 0
    assert len(landlord.read(stored_payments.of_invoices, [one.id])) == 2


def test_an_invoice_of_zero_that_is_marked_as_paid_keeps_no_credit_and_is_sound(landlord, maple):
    (bill,) = landlord.stored_bills(maple)
    receive(landlord, invoice_of(landlord, maple), 10_00)
    landlord.remove_bill(bill)
    landlord.set_status(maple, "1", "PAID")
    row = stored(landlord, invoice_of(landlord, maple))
    assert (row.total, row.paid_amount, row.paid_by_status) == (0, 0, -10_00)
    landlord.sound()


def test_what_marking_as_paid_noted_stays_apart_from_money_that_comes(landlord, maple):
    one = landlord.set_status(maple, "1", "PAID").summary
    with pytest.raises(InvalidRequest) as refused:
        receive(landlord, one, 45_00, kind=REFUND)
    assert refused.value.problems[0].field == "amount"
    receive(landlord, one, 45_00)
    assert landlord.see(payments.ledger, one.id).position.credit == 45_00
    landlord.set_status(maple, "1", "SENT")
    row = stored(landlord, one)
    assert (row.paid_amount, row.payment_status) == (45_00, "paid")


def test_an_entry_in_place_of_what_was_noted_is_no_second_sum(landlord, maple):
    one = landlord.set_status(maple, "1", "PAID").summary
    receive(landlord, one, 45_00, in_place_of_noted=True, day=TODAY - timedelta(days=1))
    shown = landlord.see(payments.ledger, one.id)
    assert (shown.invoice.status, shown.invoice.paid_amount, shown.noted) == ("PAID", 45_00, 0)
    assert shown.invoice.paid_at == "2026-03-09T12:00:00.000Z"


def test_no_entry_says_what_marking_as_paid_noted_where_that_is_less_than_nothing(landlord, maple):
    (bill,) = landlord.stored_bills(maple)
    first = receive(landlord, invoice_of(landlord, maple), 10_00)
    landlord.remove_bill(bill)
    landlord.set_status(maple, "1", "PAID")
    marked = stored(landlord, invoice_of(landlord, maple))
    assert (marked.total, marked.paid_amount, marked.paid_by_status) == (0, 0, -10_00)
    landlord.do(payments.count_once, marked.id, first)
    assert stored(landlord, marked) == marked
    receive(landlord, marked, 3_00, in_place_of_noted=True)
    row = stored(landlord, marked)
    assert (row.status, row.paid_amount, row.paid_by_status) == ("PAID", 3_00, -10_00)
    landlord.sound()


def test_what_was_noted_is_said_by_an_entry_up_to_its_amount_and_by_none_that_was_taken_back(landlord, maple):
    one = landlord.set_status(maple, "1", "PAID").summary
    entry, back = receive(landlord, one, 15_00), receive(landlord, one, 20_00)
    landlord.do(payments.take_back, one.id, back)
    landlord.do(payments.count_once, one.id, back)
    refund = receive(landlord, one, 5_00, kind=REFUND)
    landlord.do(payments.count_once, one.id, refund)
    row = stored(landlord, one)
    assert (row.paid_amount, row.paid_by_status) == (55_00, 45_00), "15.00 came, 5.00 went, and 45.00 is noted"
    landlord.do(payments.take_back, one.id, refund)
    landlord.do(payments.count_once, one.id, entry)
    row = stored(landlord, one)
    assert (row.status, row.paid_amount, row.paid_by_status) == ("PAID", 45_00, 30_00)
    with pytest.raises(NotFound):
        landlord.do(payments.count_once, one.id, "pay_none")
    landlord.sound()


def test_what_is_wrong_is_said_field_by_field_and_nothing_is_written(landlord, maple):
    one = landlord.set_status(maple, "1", "SENT").summary
    with pytest.raises(InvalidRequest) as refused:
        receive(landlord, one, 0, day=TODAY + timedelta(days=1), method="SHELLS", note="x" * 501)
    assert [problem.field for problem in refused.value.problems] == ["amount", "date", "method", "note"]
    entry = receive(landlord, one, 10_00)
    receive(landlord, one, 4_00, kind=REFUND)
    with pytest.raises(InvalidRequest, match="You can't refund more"):
        receive(landlord, one, 6_01, kind=REFUND)
    with pytest.raises(Conflict, match="Reverse the refund first"):
        landlord.do(payments.take_back, one.id, entry)
    assert stored(landlord, one).paid_amount == 6_00


def test_many_are_entered_at_once_for_invoices_of_several_properties(landlord, maple):
    elm = landlord.property_("Elm")
    landlord.unit(elm, "A")
    landlord.bill(elm, 30_00)
    wanted = [invoice_of(landlord, elm, "A"), invoice_of(landlord, maple, "1"), invoice_of(landlord, maple, "2")]
    for one, house in zip(wanted, (elm, maple, maple), strict=True):
        landlord.set_status(house, one.unit_label, "SENT")
    ids = landlord.do(payments.receive_many, [(one.id, Received(one.total, TODAY)) for one in wanted])
    assert len(set(ids)) == 3
    assert landlord.month(maple).paid == 2
    assert landlord.month(elm).received == 30_00


def test_nobody_reaches_the_ledger_of_another_account(landlord, maple, database, clock):
    one = landlord.set_status(maple, "1", "SENT").summary
    entry = receive(landlord, one, 10_00)
    stranger = Landlord(database, clock, name="stranger")
    with pytest.raises(NotFound):
        receive(stranger, one, 10_00)
    with pytest.raises(NotFound):
        stranger.do(payments.take_back, one.id, entry)
    with pytest.raises(NotFound):
        stranger.see(payments.ledger, one.id)
    with pytest.raises(NotFound):
        landlord.do(payments.take_back, invoice_of(landlord, maple, "2").id, entry)
    assert stored(landlord, one).paid_amount == 10_00


def test_each_step_is_written_down_in_words(landlord, maple):
    one = landlord.set_status(maple, "1", "SENT").summary
    entry = receive(landlord, one, 45_00)
    landlord.do(payments.take_back, one.id, entry)
    done = [deed.says for deed in activity_of(landlord)]
    paid = f"noted that invoice {one.number} is now paid in full by payments or credits"
    assert {f"recorded a payment of {one.number}", paid} <= set(done)
    assert f"reversed a payment or refund of {one.number}" in done


def activity_of(landlord):
    return landlord.see(activity.page, limit=50)
