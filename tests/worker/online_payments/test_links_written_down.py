"""Changes of an invoice's payment link are recorded in the audit log and in events.

A simultaneous change of the invoice restores no link that was removed.
"""

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import pytest
from sqlalchemy import bindparam, select

from prorata.actions.accounts import access
from prorata.actions.online_payments import payment_links, providers as payment_providers
from prorata.actions.payments import payments, provider_events
from prorata.actions.payments.payments import Received
from prorata.domain.invoices.ledger import REFUND
from prorata.domain.online_payments.payment_links import STRIPE
from prorata.domain.online_payments.providers import PROVIDERS
from prorata.store.database.engine import Tx
from prorata.store.database.statements import returns
from prorata.store.invoices import invoices
from prorata.store.online_payments import payment_links as stored_links
from prorata.store.schema.tables import event
from prorata.store.webhooks import event_feed
from tests.worker.trade import VAULT, Trade, paid


class Deed(NamedTuple):
    """The audit entry of a record."""

    verb: str
    actor: str
    before: str | None
    after: str | None


_DEEDS = returns(
    Deed,
    select(event.c.verb, event.c.actor, event.c.before, event.c.after)
    .where(event.c.account_id == bindparam("account"), event.c.record_id == bindparam("record"))
    .order_by(event.c.id),
)


def written(trade: Trade, *verbs: str) -> list[tuple[str, str, str | None, str | None]]:
    """The audit entries about the invoice's link.

    Each has the verb, the actor, and the link before and after.
    """
    asked = {"account": trade.account_id, "record": trade.invoice().id}
    rows = trade.landlord.database.read(lambda tx: tx.all(_DEEDS, **asked))
    return [(row.verb, row.actor, _link(row.before), _link(row.after)) for row in rows if row.verb in verbs]


def _link(text: str | None) -> str | None:
    return json.loads(text)["payment_link_id"] if text else None


def links_of(trade: Trade) -> list[tuple[str, str, str | None, str | None]]:
    return written(trade, "add payment link", "remove payment link")


def told(trade: Trade) -> list[dict[str, object]]:
    """The contents of the invoice's events that programs receive."""
    trade.landlord.run(lambda tx: event_feed.count_some(tx, trade.account_id))
    rows = trade.landlord.read(event_feed.page, after=0, types=("invoice.updated",), limit=100)
    return [json.loads(row.content) for row in rows]


def test_a_link_that_is_made_is_written_down_and_programs_are_told(trade):
    link = trade.link()
    assert links_of(trade) == [("add payment link", STRIPE, None, link)]
    (said,) = told(trade)
    assert (said["id"], said["gatewayPaymentLinkId"]) == (trade.invoice().id, link)
    assert said["gatewayPaymentLinkUrl"] == trade.invoice().payment_link_url


def test_a_link_that_a_part_payment_takes_off_is_written_down_and_so_is_the_next(trade):
    first, today = trade.link(), trade.landlord.clock().date()
    trade.landlord.do(payments.receive, trade.invoice().id, Received(30_00, today))
    assert links_of(trade)[1:] == [("remove payment link", "test", first, None)]
    trade.keep()
    assert links_of(trade)[2:] == [("add payment link", STRIPE, None, trade.link())]
    assert [said["gatewayPaymentLinkId"] for said in told(trade)] == [first, None, trade.link()]


def test_another_paid_amount_is_told_where_the_status_stays(trade):
    trade.landlord.do(payment_providers.stop)
    today, invoice_id = trade.landlord.clock().date(), trade.invoice().id
    begun = len(told(trade))
    entry = trade.landlord.do(payments.receive, invoice_id, Received(30_00, today))
    trade.landlord.do(payments.receive, invoice_id, Received(10_00, today, kind=REFUND))
    trade.landlord.do(payments.receive, invoice_id, Received(70_00, today))
    trade.landlord.do(payments.receive, invoice_id, Received(5_00, today))
    assert [said["paidAmount"] for said in told(trade)[begun:]] == ["30.00", "20.00", "95.00"], (
        "PAID is told as a status"
    )
    trade.landlord.do(payments.take_back, invoice_id, entry)
    assert len(told(trade)) == begun + 3


def test_a_status_that_takes_a_link_off_says_so_itself(trade):
    first = trade.link()
    trade.landlord.set_status(trade.maple, "1", "PAID")
    assert links_of(trade) == [("add payment link", STRIPE, None, first)]
    (was,) = written(trade, "set invoice PAID")
    assert was[2:] == (first, None)


@pytest.mark.parametrize("ends", [payment_providers.stop, payment_providers.forget_former_key])
def test_links_that_are_taken_off_because_payments_end_are_written_down(trade, ends):
    first = trade.link()
    if ends is payment_providers.forget_former_key:
        trade.landlord.do(payment_providers.use, PROVIDERS[0], "sk_other_1", "whsec_2", VAULT)
        assert links_of(trade)[1:] == []
    trade.landlord.do(ends)
    assert links_of(trade)[1:] == [("remove payment link", "test", first, None)]
    assert told(trade)[-1]["gatewayPaymentLinkUrl"] is None


def test_a_link_that_was_used_up_by_a_failed_payment_is_written_down(trade):
    first = trade.link()
    used = trade.landlord.read(stored_links.find, first.removeprefix("plink_"))
    trade.landlord.run(lambda tx: payment_links.used_up(tx, used))
    assert links_of(trade)[1:] == [("remove payment link", STRIPE, first, None)]


def test_that_money_counts_once_is_told_to_programs(trade):
    event, number = paid(trade.link()), len(told(trade))
    trade.landlord.set_status(trade.maple, "1", "PAID")
    trade.hear(event)
    trade.landlord.do(provider_events.checked, STRIPE, event.id, is_same=True)
    (both, said) = told(trade)[number:]
    assert both["paidAmount"] == "180.00"
    assert (said["paidAmount"], said["status"]) == ("90.00", "PAID")


@pytest.mark.parametrize("ends", [payment_providers.stop, payment_providers.forget_former_key])
def test_a_change_at_the_same_moment_writes_back_no_link_that_was_taken_off(trade, ends):
    if ends is payment_providers.forget_former_key:
        trade.landlord.do(payment_providers.use, PROVIDERS[0], "sk_other_1", "whsec_2", VAULT)
    has_read, has_ended = threading.Event(), threading.Event()

    def change(tx: Tx) -> None:
        row = access.locked_invoice(tx, trade.account_id, one)
        has_read.set()
        has_ended.wait(0.7)  # whoever ends payments waits for this change, and not the other way round
        invoices.save_standing(tx, [row])

    one = trade.invoice().id
    with ThreadPoolExecutor(1) as thread:
        other = thread.submit(trade.landlord.run, change)
        has_read.wait(10)
        trade.landlord.do(ends)
        has_ended.set()
        other.result()
    assert trade.invoice().payment_link_id is None


def test_a_worker_that_lost_its_work_takes_no_name_off_a_link_that_another_made(trade):
    (live,) = trade.landlord.read(stored_links.open_of_invoice, trade.invoice().id)
    asked = live._replace(state="asked", provider_id=None, url=None)
    trade.landlord.run(lambda tx: payment_links.note_not_made(tx, asked))
    assert trade.landlord.read(stored_links.find, live.id) == live
    trade.landlord.run(lambda tx: payment_links.note_closed(tx, asked))
    closed = trade.landlord.read(stored_links.find, live.id)
    assert (closed.state, closed.provider_id) == ("closed", live.provider_id)
    assert trade.invoice().payment_link_id is None
    assert trade.hear(paid(live.provider_id)) == "counted"


def test_a_worker_that_lost_its_work_opens_no_link_that_was_closed_meanwhile(trade):
    (live,) = trade.landlord.read(stored_links.open_of_invoice, trade.invoice().id)
    trade.landlord.run(lambda tx: payment_links.note_closed(tx, live))
    trade.landlord.run(lambda tx: payment_links.note_made(tx, live, live.provider_id, live.url))
    assert trade.landlord.read(stored_links.find, live.id).state == "closed"
    assert trade.invoice().payment_link_url is None
