"""A failed online payment is shown at its invoice until something else happens.

Both programs and people are told of it.
"""

import json

import pytest

from prorata.actions.payments import payments
from prorata.actions.payments.payments import Received
from prorata.domain.online_payments.payment_links import FAILED, ProviderEvent
from prorata.store.overview import activity
from prorata.store.webhooks import event_feed
from tests.worker.trade import AT, Trade, paid


def failed(link: str, event: str = "evt_f", payment: str = "pi_f") -> ProviderEvent:
    return ProviderEvent(event, FAILED, payment, 90_00, "USD", AT, link)


def noted(trade: Trade) -> list[dict[str, object]]:
    """The entries of the audit log about failed payments of the invoice."""
    rows = trade.landlord.read(activity.page, record=trade.invoice().id, limit=50)
    return [json.loads(row.after) for row in rows if row.verb == "note failed payment"]


def told(trade: Trade) -> list[str]:
    """The payment statuses in the events that programs receive."""
    trade.landlord.run(lambda tx: event_feed.count_some(tx, trade.account_id))
    rows = trade.landlord.read(event_feed.page, after=0, types=("invoice.updated",), limit=100)
    return [json.loads(row.content)["paymentStatus"] for row in rows]


def test_a_payment_that_failed_is_noted_and_told_and_reads_failed_though_there_is_another_link(trade: Trade) -> None:
    link = trade.link()
    assert trade.hear(failed(link)) == "passed"
    assert trade.hear(failed(link, "evt_g")) == "passed"
    trade.keep()
    row = trade.invoice()
    assert (row.status, row.payment_status) == ("SENT", "failed")
    assert row.payment_link_id not in (None, link)
    (kept,) = noted(trade)
    assert (kept["message"], kept["payment"], kept["amount"]) == ("evt_f", "pi_f", 90_00)
    assert told(trade) == ["pending", "failed", "failed"], "a link, that it failed, another link"


def test_it_reads_failed_when_it_falls_overdue_and_until_something_is_entered(trade: Trade) -> None:
    trade.hear(failed(trade.link()))
    trade.landlord.set_status(trade.maple, "1", "OVERDUE")
    assert trade.invoice().payment_status == "failed"
    received = Received(10_00, trade.landlord.clock().date())
    trade.landlord.do(payments.receive, trade.invoice().id, received)
    assert trade.invoice().payment_status == "pending"


@pytest.mark.parametrize(("status", "reads"), [("DRAFT", "pending"), ("CANCELLED", "cancelled"), ("PAID", "paid")])
def test_another_status_says_otherwise_and_a_failure_then_changes_nothing(
    trade: Trade, status: str, reads: str
) -> None:
    link = trade.link()
    trade.hear(failed(link))
    trade.landlord.set_status(trade.maple, "1", status)
    assert trade.invoice().payment_status == reads
    trade.hear(failed(link, "evt_g", "pi_g"))
    assert (trade.invoice().status, trade.invoice().payment_status, len(noted(trade))) == (status, reads, 2)


def test_a_failure_that_is_told_of_a_payment_that_came_says_nothing(trade: Trade) -> None:
    link = trade.link()
    trade.hear(paid(link))
    trade.hear(failed(link, payment="pi_1"))
    assert (trade.invoice().payment_status, noted(trade)) == ("paid", [])


def test_a_payment_that_is_told_of_after_its_failure_counts(trade: Trade) -> None:
    link = trade.link()
    trade.hear(failed(link, payment="pi_1"))
    trade.hear(paid(link))
    assert (trade.invoice().status, trade.invoice().payment_status) == ("PAID", "paid")
