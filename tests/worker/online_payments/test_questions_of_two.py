"""A person is asked about each pair of possibly identical entries while both count.

The question ends when one of the two no longer counts.
"""

import pytest

from prorata.actions.payments import payments, provider_events
from prorata.actions.payments.payments import Received
from prorata.actions.properties import properties
from prorata.domain.invoices.ledger import PAYMENT, REFUND
from prorata.domain.online_payments.payment_links import REFUND_FAILED, REFUNDED, STRIPE
from prorata.domain.online_payments.provider_reasons import Reason, Why
from prorata.errors import Conflict
from prorata.store.online_payments import provider_events as stored_events
from tests.landlord import FakeArchive
from tests.worker.online_payments.test_messages_to_look_at import by_hand, look, shown, told
from tests.worker.online_payments.test_told_of_what_was_taken_back import standing, take_back_the_providers
from tests.worker.trade import Trade, paid


def take_back(trade: Trade, entry: str) -> None:
    trade.landlord.do(payments.take_back, trade.invoice().id, entry)


def asked(trade: Trade) -> list[str | None]:
    return [row.why for row in shown(trade)]


def paid_twice(trade: Trade) -> str:
    """Pay the same amount by hand and online, and return the entry by hand."""
    link = trade.link()
    entry = by_hand(trade, 90_00)
    trade.hear(paid(link))
    assert asked(trade) == [Reason.PAID_TWICE]
    return entry


def refunded_twice(trade: Trade) -> str:
    trade.hear(paid(trade.link()))
    entry = by_hand(trade, 30_00, REFUND)
    trade.hear(told(REFUNDED))
    assert asked(trade) == [Reason.REFUNDED_TWICE]
    return entry


def noted_and_paid(trade: Trade) -> None:
    link = trade.link()
    trade.landlord.set_status(trade.maple, "1", "PAID")
    trade.hear(paid(link))
    assert asked(trade) == [Reason.MARKED_AS_PAID]


# --- one of the two goes ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("goes", ["by hand", "online"])
def test_nothing_is_asked_of_a_payment_once_it_or_the_one_by_hand_was_taken_back(trade: Trade, goes: str) -> None:
    entry = paid_twice(trade)
    if goes == "online":
        take_back_the_providers(trade)
    else:
        take_back(trade, entry)
    assert (asked(trade), standing(trade)) == ([], ("PAID", 90_00))


@pytest.mark.parametrize("goes", ["by hand", "online"])
def test_nothing_is_asked_of_a_refund_once_it_or_the_one_by_hand_was_taken_back(trade: Trade, goes: str) -> None:
    entry = refunded_twice(trade)
    if goes == "online":
        take_back_the_providers(trade, REFUND)
    else:
        take_back(trade, entry)
    assert (asked(trade), trade.invoice().paid_amount) == ([], 60_00)


def test_nothing_is_asked_of_what_was_noted_once_the_payment_was_taken_back(trade: Trade) -> None:
    noted_and_paid(trade)
    take_back_the_providers(trade)
    assert (asked(trade), standing(trade)) == ([], ("PAID", 90_00))


def test_it_is_still_asked_where_another_entry_by_hand_is_as_much_or_another_one_goes(trade: Trade) -> None:
    entry, other, least = paid_twice(trade), by_hand(trade, 90_00), by_hand(trade, 1_00)
    take_back(trade, least)
    take_back(trade, entry)
    assert asked(trade) == [Reason.PAID_TWICE]
    take_back(trade, other)
    assert (asked(trade), standing(trade)) == ([], ("PAID", 90_00))


def test_nothing_is_asked_of_what_was_paid_for_a_property_that_is_deleted(trade: Trade) -> None:
    paid_twice(trade)
    trade.landlord.do(properties.remove, trade.maple.id, FakeArchive())
    assert (asked(trade), trade.landlord.see(provider_events.number_to_check)) == ([], 0)


@pytest.mark.parametrize("instead", [Reason.PAID_TWICE, None])
def test_what_a_former_sentence_named_goes_with_it_when_something_else_is_asked(
    trade: Trade, instead: Reason | None
) -> None:
    paid_twice(trade)
    former = Why.of(Reason.SAID, says="It may have come twice.")

    def ask(tx, _caller):
        (row,) = stored_events.asked_of_counted(tx, trade.landlord.account.id, [trade.invoice().id])
        stored_events.save(tx, row.because(former))
        if instead is None:
            stored_events.ask_no_more(tx, row.account_id, [str(row.invoice_id)])
        else:
            stored_events.ask_instead(tx, row.because(former), instead)
        return stored_events.find(tx, row.account_id, row.provider, row.event_id)

    after = trade.landlord.do(ask)
    assert (after.why, after.why_details) == (instead, None)


def test_a_refund_that_failed_after_somebody_took_it_back_is_shown_where_it_was_entered_by_hand_too(
    trade: Trade,
) -> None:
    refunded_twice(trade)
    take_back_the_providers(trade, REFUND)
    assert trade.hear(told(REFUND_FAILED, "evt_3")) == "to check"
    assert asked(trade) == [Reason.REFUND_FAILED]


# --- a question that was open when one of the two went, as before this was looked at ----------------------------------


def ask_again(trade: Trade, why: str, event: str = "evt_1") -> None:
    """Store a question about a message, even though one of the two entries is gone."""
    row = trade.landlord.read(stored_events.find, STRIPE, event)
    assert row is not None
    trade.landlord.run(lambda tx: stored_events.save(tx, row._replace(why=why)))


@pytest.mark.parametrize("goes", ["by hand", "online"])
def test_the_same_is_refused_where_one_of_the_two_counts_no_longer(trade: Trade, goes: str) -> None:
    entry = paid_twice(trade)
    if goes == "online":
        take_back_the_providers(trade)
    else:
        take_back(trade, entry)
    ask_again(trade, Reason.PAID_TWICE)
    with pytest.raises(Conflict, match="One of the two entries no longer"):
        look(trade, shown(trade)[0], is_same=True)
    assert (standing(trade), trade.answers()) == (("PAID", 90_00), [])
    look(trade, shown(trade)[0])
    assert asked(trade) == []


@pytest.mark.parametrize("goes", ["noted", "online"])
def test_the_same_as_what_was_noted_is_refused_where_one_of_the_two_counts_no_longer(trade: Trade, goes: str) -> None:
    noted_and_paid(trade)
    if goes == "online":
        take_back_the_providers(trade)
    else:
        trade.landlord.set_status(trade.maple, "1", "SENT")
    ask_again(trade, Reason.MARKED_AS_PAID)
    with pytest.raises(Conflict, match="One of the two entries no longer"):
        look(trade, shown(trade)[0], is_same=True)
    assert trade.invoice().paid_amount == 90_00


def test_what_is_asked_of_a_deleted_invoice_can_be_done_with(trade: Trade) -> None:
    paid_twice(trade)
    trade.landlord.do(properties.remove, trade.maple.id, FakeArchive())
    ask_again(trade, Reason.PAID_TWICE)
    look(trade, shown(trade)[0])
    assert asked(trade) == []


def test_an_answer_that_comes_twice_is_none_to_what_is_asked_next(trade: Trade) -> None:
    noted_and_paid(trade)
    by_hand(trade, 90_00)
    seen = provider_events.checked, STRIPE, "evt_1"
    trade.landlord.do(*seen, is_same=True, asked=Reason.MARKED_AS_PAID)
    with pytest.raises(Conflict, match="question about this payment has changed"):
        trade.landlord.do(*seen, is_same=True, asked=Reason.MARKED_AS_PAID)
    assert (asked(trade), trade.invoice().paid_amount) == ([Reason.PAID_TWICE], 180_00)


# --- three of the same amount -----------------------------------------------------------------------------------------


def in_place(trade: Trade) -> None:
    said = Received(90_00, trade.landlord.clock().date(), kind=PAYMENT, in_place_of_noted=True)
    trade.landlord.do(payments.receive, trade.invoice().id, said)


@pytest.mark.parametrize("is_first", [True, False])
def test_of_money_that_was_noted_by_hand_and_online_each_pair_is_asked(trade: Trade, is_first: bool) -> None:
    link = trade.link()
    trade.landlord.set_status(trade.maple, "1", "PAID")
    if is_first:
        by_hand(trade, 90_00)
    trade.hear(paid(link))
    if not is_first:
        by_hand(trade, 90_00)
    assert (asked(trade), trade.invoice().paid_amount) == ([Reason.MARKED_AS_PAID], 270_00)
    look(trade, shown(trade)[0], is_same=True)
    assert (asked(trade), trade.invoice().paid_amount) == ([Reason.PAID_TWICE], 180_00)
    look(trade, shown(trade)[0], is_same=True)
    assert (asked(trade), standing(trade)) == ([], ("PAID", 90_00))


def test_what_is_another_payment_than_was_noted_may_be_the_one_by_hand(trade: Trade) -> None:
    noted_and_paid(trade)
    by_hand(trade, 90_00)
    look(trade, shown(trade)[0])
    assert (asked(trade), trade.invoice().paid_amount) == ([Reason.PAID_TWICE], 270_00)
    look(trade, shown(trade)[0])
    assert (asked(trade), trade.invoice().paid_amount) == ([], 270_00)


def test_the_one_by_hand_is_asked_about_once_nothing_is_noted(trade: Trade) -> None:
    noted_and_paid(trade)
    by_hand(trade, 90_00)
    trade.landlord.set_status(trade.maple, "1", "SENT")
    assert (asked(trade), trade.invoice().paid_amount) == ([Reason.PAID_TWICE], 180_00)


def test_a_payment_by_hand_of_another_amount_is_not_asked_about_next(trade: Trade) -> None:
    noted_and_paid(trade)
    by_hand(trade, 80_00)
    look(trade, shown(trade)[0], is_same=True)
    assert asked(trade) == []


def test_an_entry_in_place_of_what_was_noted_is_asked_about_until_it_is_taken_back(trade: Trade) -> None:
    noted_and_paid(trade)
    in_place(trade)
    assert asked(trade) == [Reason.PAID_TWICE]
    take_back_the_providers(trade)
    assert (asked(trade), standing(trade)) == ([], ("PAID", 90_00))
