"""Payments that a person has entered or noted, and that the provider reports too.

As long as both count, a person is asked if they are the same money.
"""

import pytest

from prorata.actions.payments import payments, provider_events
from prorata.actions.payments.payments import TakenBack
from prorata.domain.online_payments.payment_links import STRIPE
from prorata.domain.online_payments.provider_reasons import Reason
from tests.worker.online_payments.test_messages_to_look_at import by_hand, look, shown
from tests.worker.trade import Trade, paid


def standing(trade: Trade) -> tuple[str, int]:
    return trade.invoice().status, trade.invoice().paid_amount


def test_a_payment_that_was_entered_by_hand_and_is_told_of_counts_once_if_it_is_the_same(trade: Trade) -> None:
    link = trade.link()
    entered = by_hand(trade, 90_00)
    assert [trade.hear(paid(link)), trade.hear(paid(link, event="evt_2"))] == ["counted"] * 2
    assert standing(trade) == ("PAID", 180_00)
    (row,) = shown(trade)
    assert row.why == Reason.PAID_TWICE
    look(trade, row, is_same=True)
    assert standing(trade) == ("PAID", 90_00)
    found = trade.landlord.see(payments.ledger, trade.invoice().id)
    assert [(one.kind, one.reverses) for one in found.entries] == [
        ("PAYMENT", None), ("PAYMENT", None), ("REVERSAL", entered),
    ]  # fmt: skip
    ((verb, kept),) = trade.answers()
    assert (verb, kept["message"], kept["same_as_id"]) == ("call payment the same", "evt_1", entered)
    assert kept["same_as"] == "the payment that was entered by hand"
    assert shown(trade) == []


def test_a_payment_that_is_told_of_first_is_asked_about_once_it_is_entered_by_hand_too(trade: Trade) -> None:
    trade.hear(paid(trade.link()))
    assert shown(trade) == []
    by_hand(trade, 90_00)
    (row,) = shown(trade)
    assert (row.event_id, row.why) == ("evt_1", Reason.PAID_TWICE)
    look(trade, row)
    assert standing(trade) == ("PAID", 180_00), "it was paid twice"
    assert shown(trade) == []


@pytest.mark.parametrize("cents", [89_99, 90_01])
def test_a_payment_of_another_amount_is_asked_about_in_neither_order(trade: Trade, cents: int) -> None:
    link = trade.link()
    by_hand(trade, cents)
    assert trade.hear(paid(link)) == "counted"
    by_hand(trade, 10_00)
    assert shown(trade) == []


def test_two_halves_of_what_is_owed_are_two_payments(trade: Trade) -> None:
    by_hand(trade, 45_00)
    trade.keep()
    trade.hear(paid(trade.link(), 45_00))
    assert (standing(trade), shown(trade)) == (("PAID", 90_00), [])


def test_a_payment_by_hand_that_was_taken_back_is_not_asked_about(trade: Trade) -> None:
    link = trade.link()
    trade.landlord.do(payments.take_back, trade.invoice().id, by_hand(trade, 90_00), TakenBack())
    trade.hear(paid(link))
    assert (standing(trade), shown(trade)) == (("PAID", 90_00), [])


@pytest.mark.parametrize("status", ["SENT", "DRAFT"])
def test_what_marking_as_paid_had_noted_is_asked_about_no_more_once_nothing_is_noted(trade: Trade, status: str) -> None:
    link = trade.link()
    trade.landlord.set_status(trade.maple, "1", "PAID")
    trade.hear(paid(link))
    assert [row.why for row in shown(trade)] == [Reason.MARKED_AS_PAID]
    trade.landlord.set_status(trade.maple, "1", status)
    assert (trade.invoice().paid_amount, shown(trade)) == (90_00, [])
    assert trade.landlord.see(provider_events.number_to_check) == 0


def test_what_was_noted_is_asked_about_no_more_once_a_payment_by_hand_says_it(trade: Trade) -> None:
    link = trade.link()
    trade.landlord.set_status(trade.maple, "1", "PAID")
    trade.hear(paid(link))
    (row,) = shown(trade)
    said = payments.Received(90_00, trade.landlord.clock().date(), in_place_of_noted=True)
    trade.landlord.do(payments.receive, trade.invoice().id, said)
    assert [row.why for row in shown(trade)] == [Reason.PAID_TWICE]
    trade.landlord.do(provider_events.checked, STRIPE, row.event_id, is_same=True)
    assert standing(trade) == ("PAID", 90_00)


def test_where_as_much_has_come_as_is_owed_nothing_is_asked_though_two_are_alike(trade: Trade) -> None:
    """Three halves are one too many; without one, the other two are the right amount."""
    first = by_hand(trade, 45_00)
    trade.keep()
    link = trade.link()
    by_hand(trade, 45_00)
    trade.hear(paid(link, 45_00))
    assert [row.why for row in shown(trade)] == [Reason.PAID_TWICE]
    trade.landlord.do(payments.take_back, trade.invoice().id, first, TakenBack())
    assert (standing(trade), shown(trade)) == (("PAID", 90_00), [])
