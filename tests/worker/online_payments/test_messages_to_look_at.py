"""A message that only a person can enter is shown, and a decision is requested."""

import pytest

from prorata.actions.online_payments import payment_links
from prorata.actions.payments import payments, provider_events
from prorata.actions.payments.payments import Received
from prorata.actions.properties import properties
from prorata.domain.invoices.ledger import REFUND
from prorata.domain.online_payments.payment_links import (
    CHARGED_BACK,
    GIVEN_BACK,
    REFUND_FAILED,
    REFUNDED,
    STRIPE,
    Happening,
    LinkMarks,
    ProviderEvent,
)
from prorata.domain.online_payments.provider_reasons import Reason
from prorata.ports.payments import PaymentsDelayed
from prorata.store.online_payments import payment_links as stored_links
from prorata.store.online_payments.provider_events import EventRow
from tests.landlord import FakeArchive
from tests.worker.trade import AT, Trade, paid


def told(
    happening: Happening, event: str = "evt_2", cents: int = 30_00, payment: str = "pi_1", reference: str = "re_1"
) -> ProviderEvent:
    """A provider's message about an earlier payment."""
    return ProviderEvent(event, happening, payment, cents, "USD", AT, None, reference)


def shown(trade: Trade) -> list[EventRow]:
    """The messages that a person is asked to look at, earliest first."""
    return sorted(trade.landlord.see(provider_events.to_check), key=lambda row: row.event_id)


def look(trade: Trade, row: EventRow, *, is_same: bool = False) -> None:
    trade.landlord.do(provider_events.checked, STRIPE, row.event_id, is_same=is_same)


def by_hand(trade: Trade, cents: int, kind: str = "PAYMENT") -> str:
    today = trade.landlord.clock().date()
    return trade.landlord.do(payments.receive, trade.invoice().id, Received(cents, today, kind=kind))


# --- a payment by a link that is not known ----------------------------------------------------------------------------


def by_a_lost_link(trade: Trade, **changed: str | None) -> ProviderEvent:
    """A payment by a link that is missing from the restored backup."""
    marks = LinkMarks("plink_lost", trade.account_id, trade.invoice().number)._replace(**changed)
    return paid("plink_of_stripe")._replace(marks=marks)


@pytest.mark.parametrize("changed", [{}, {"account": None}])  # links that were made before did not say whose they are
def test_a_payment_by_a_link_of_ours_that_is_not_known_is_shown_with_its_invoice(trade, changed):
    assert trade.hear(by_a_lost_link(trade, **changed)) == "to check"
    (row,) = shown(trade)
    assert row.invoice_id == trade.invoice().id
    assert f"invoice {trade.invoice().number}: enter the payment by hand" in row.says
    assert trade.invoice().paid_amount == 0


def test_a_link_of_an_invoice_that_is_gone_too_is_shown_with_its_number(trade):
    assert trade.hear(by_a_lost_link(trade, number="OAK-9-2026-02")) == "to check"
    (row,) = shown(trade)
    assert row.invoice_id is None
    assert "OAK-9-2026-02" in row.says


def test_a_link_of_another_account_at_the_same_provider_is_none_of_ours(trade):
    assert trade.hear(by_a_lost_link(trade, account="acct_another")) == "passed"
    assert shown(trade) == []


def test_a_payment_is_counted_by_our_own_id_where_nobody_heard_what_its_link_is_called(landlord):
    trade = Trade(landlord)
    trade.send()
    trade.provider.answers = [PaymentsDelayed("Stripe could not be reached.")]
    trade.keep()
    (asked,) = landlord.read(stored_links.open_of_invoice, trade.invoice().id)
    assert asked.provider_id is None
    event = paid(f"plink_{asked.id}")._replace(marks=LinkMarks(asked.id, trade.account_id, trade.invoice().number))
    assert trade.hear(event) == "counted"
    assert trade.invoice().status == "PAID"
    landlord.run(lambda tx: payment_links.note_made(tx, asked, f"plink_{asked.id}", "https://pay.example/late"))
    assert landlord.read(stored_links.find, asked.id).state == "closed"
    assert trade.invoice().payment_link_url is None


# --- refunds of what was not counted ----------------------------------------------------------------------------------


@pytest.mark.parametrize("happening", [REFUNDED, CHARGED_BACK])
def test_a_refund_of_a_payment_that_waits_for_a_look_is_shown_too(trade, happening):
    refund = told(happening)
    assert trade.hear(refund) == "waits"
    assert trade.hear(paid(trade.link(), 80_00)) == "to check"
    assert [row.happening for row in shown(trade)] == ["paid", happening]
    assert [row.invoice_id for row in shown(trade)] == [trade.invoice().id] * 2


def test_a_refund_of_a_payment_that_was_looked_at_and_entered_by_hand_is_shown(trade):
    trade.hear(paid(trade.link(), 80_00))
    look(trade, shown(trade)[0])
    by_hand(trade, 80_00)
    assert trade.hear(told(REFUNDED)) == "to check"
    (row,) = shown(trade)
    assert row.why == Reason.PAYMENT_NOT_COUNTED
    look(trade, row)
    assert shown(trade) == []
    assert trade.hear(told(REFUND_FAILED, "evt_3")) == "to check"
    assert [row.why for row in shown(trade)] == [Reason.REFUND_FAILED]


def test_a_refund_of_more_than_was_paid_is_shown_while_it_waits(trade):
    trade.hear(paid(trade.link()))
    over = told(REFUNDED, cents=100_00)
    assert trade.hear(over) == "waits"
    assert [row.event_id for row in shown(trade)] == ["evt_2"]


def test_a_refund_of_somebody_elses_payment_is_passed_over(trade):
    trade.hear(paid("plink_of_a_shop"))
    assert trade.hear(told(REFUNDED)) == "passed"
    assert shown(trade) == []


def test_a_refund_whose_invoice_was_deleted_is_shown(trade):
    trade.hear(paid(trade.link()))
    trade.landlord.do(properties.remove, trade.maple.id, FakeArchive())
    assert trade.hear(told(REFUNDED)) == "to check"
    assert [row.why for row in shown(trade)] == [Reason.INVOICE_DELETED]


def test_a_dispute_that_is_lost_and_won_of_a_payment_nobody_entered_asks_nothing(trade):
    trade.hear(paid(trade.link(), 80_00))
    assert trade.hear(told(CHARGED_BACK, "evt_2", 80_00, reference="dp_1")) == "to check"
    assert trade.hear(told(GIVEN_BACK, "evt_3", 80_00, reference="dp_1")) == "passed"
    assert [row.happening for row in shown(trade)] == ["paid"]


def test_a_won_dispute_is_shown_where_somebody_looked_at_its_loss(trade):
    trade.hear(paid(trade.link(), 80_00))
    trade.hear(told(CHARGED_BACK, "evt_2", 80_00, reference="dp_1"))
    for row in shown(trade):
        look(trade, row)
    assert trade.hear(told(GIVEN_BACK, "evt_3", 80_00, reference="dp_1")) == "to check"


# --- refunds that may count twice -------------------------------------------------------------------------------------


def test_a_refund_that_was_entered_by_hand_and_is_told_of_counts_once_if_it_is_the_same(trade):
    trade.hear(paid(trade.link()))
    entered = by_hand(trade, 30_00, REFUND)
    assert [trade.hear(told(REFUNDED)), trade.hear(told(REFUNDED, "evt_3"))] == ["counted"] * 2
    assert trade.invoice().paid_amount == 30_00
    (row,) = shown(trade)
    assert row.why == Reason.REFUNDED_TWICE
    look(trade, row, is_same=True)
    assert (trade.invoice().status, trade.invoice().paid_amount) == ("SENT", 60_00)
    assert [one.kind for one in trade.landlord.see(payments.ledger, trade.invoice().id).entries] == [
        "PAYMENT", "REFUND", "REFUND", "REVERSAL",
    ]  # fmt: skip
    ((verb, kept),) = trade.answers()
    assert (verb, kept["message"], kept["same_as_id"]) == ("call payment the same", "evt_2", entered)
    assert shown(trade) == []


def test_a_refund_that_is_told_of_first_is_asked_about_once_it_is_entered_by_hand_too(trade):
    trade.hear(paid(trade.link()))
    trade.hear(told(REFUNDED))
    assert shown(trade) == []
    by_hand(trade, 30_00, REFUND)
    (row,) = shown(trade)
    assert (row.event_id, row.why) == ("evt_2", Reason.REFUNDED_TWICE)
    look(trade, row)
    assert trade.invoice().paid_amount == 30_00, "there were two"
    assert shown(trade) == []


@pytest.mark.parametrize("cents", [29_99, 30_01])
def test_a_refund_of_another_amount_is_asked_about_in_neither_order(trade, cents):
    trade.hear(paid(trade.link()))
    by_hand(trade, cents, REFUND)
    assert trade.hear(told(REFUNDED)) == "counted"
    by_hand(trade, 10_00, REFUND)
    assert shown(trade) == []


def test_a_refund_by_hand_that_was_taken_back_is_not_asked_about(trade):
    trade.hear(paid(trade.link()))
    entry = by_hand(trade, 30_00, REFUND)
    trade.landlord.do(payments.take_back, trade.invoice().id, entry)
    trade.hear(told(REFUNDED))
    assert shown(trade) == []
    assert trade.invoice().paid_amount == 60_00


def test_the_same_refund_that_failed_after_all_gives_nothing_back_however_it_was_entered(trade):
    trade.hear(paid(trade.link()))
    entry = by_hand(trade, 30_00, REFUND)
    trade.hear(told(REFUNDED))
    assert trade.hear(told(REFUND_FAILED, "evt_3")) == "to check"
    assert trade.invoice().paid_amount == 60_00
    (row,) = shown(trade)
    assert (row.event_id, row.why) == ("evt_3", Reason.REFUND_FAILED)
    trade.landlord.do(payments.take_back, trade.invoice().id, entry)
    look(trade, row)
    assert (trade.invoice().status, trade.invoice().paid_amount, shown(trade)) == ("PAID", 90_00, [])
