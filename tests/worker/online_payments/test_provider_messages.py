"""A payment provider's messages count once, in any order."""

import pytest

from prorata.actions.payments import payments, provider_events
from prorata.actions.properties import properties
from prorata.domain.invoices.ledger import REFUND, REVERSAL
from prorata.domain.online_payments.payment_links import (
    CHARGED_BACK,
    FAILED,
    GIVEN_BACK,
    REFUND_FAILED,
    REFUNDED,
    STRIPE,
    ProviderEvent,
)
from prorata.domain.online_payments.provider_reasons import Reason
from prorata.errors import NotFound
from prorata.store.online_payments import provider_events as stored_events
from tests.landlord import FakeArchive, Landlord
from tests.meanwhile import while_somebody_else_writes
from tests.worker.trade import AT, Trade, paid


@pytest.fixture
def trade(landlord: Landlord) -> Trade:
    return Trade(landlord)


def test_a_payment_by_the_link_pays_the_invoice_once(trade):
    trade.send()
    trade.keep()
    event = paid(trade.link())
    assert [trade.hear(event), trade.hear(event), trade.hear(event._replace(id="evt_2"))] == ["counted"] * 3
    row = trade.invoice()
    assert (row.status, row.paid_amount, row.payment_status) == ("PAID", 90_00, "paid")
    (entry,) = trade.landlord.see(payments.ledger, row.id).entries
    assert (entry.amount, entry.method, entry.provider, entry.reference) == (90_00, "CARD", "stripe", "pi_1")


@pytest.mark.parametrize(
    ("change", "state"),
    [({"amount": 89_99}, "to check"), ({"currency": "EUR"}, "to check"), ({"link": "plink_of_a_stranger"}, "passed")],
)
def test_what_does_not_agree_is_not_counted(trade, change, state):
    trade.send()
    trade.keep()
    assert trade.hear(paid(trade.link())._replace(**change)) == state
    assert trade.invoice().paid_amount == 0


def test_a_refund_that_is_told_of_first_waits_for_its_payment(trade):
    trade.send()
    trade.keep()
    refund = ProviderEvent("evt_9", REFUNDED, "pi_1", 90_00, "USD", AT, None, "re_1")
    assert trade.hear(refund) == "waits"
    assert trade.hear(paid(trade.link())) == "counted"
    row = trade.invoice()
    assert (row.status, row.paid_amount) == ("SENT", 0)
    assert [one.kind for one in trade.landlord.see(payments.ledger, row.id).entries] == ["PAYMENT", REFUND]


def refund(happening, event, cents=30_00, reference="re_1"):
    return ProviderEvent(event, happening, "pi_1", cents, "USD", AT, None, reference)


def test_a_refund_that_fails_later_is_taken_back_once_and_the_invoice_is_paid_again(trade):
    trade.send()
    trade.keep()
    trade.hear(paid(trade.link()))
    trade.hear(refund(REFUNDED, "evt_2"))
    assert (trade.invoice().status, trade.invoice().paid_amount) == ("SENT", 60_00)
    failed = [trade.hear(refund(REFUND_FAILED, event)) for event in ("evt_3", "evt_4")]
    assert failed == ["counted"] * 2
    assert (trade.invoice().status, trade.invoice().paid_amount) == ("PAID", 90_00)
    entries = trade.landlord.see(payments.ledger, trade.invoice().id).entries
    assert [one.kind for one in entries] == ["PAYMENT", REFUND, REVERSAL]
    assert (entries[2].reverses, entries[2].provider, entries[2].reference) == (entries[1].id, STRIPE, "re_1")


def test_a_refund_whose_failing_is_told_of_first_never_counts(trade):
    trade.send()
    trade.keep()
    assert trade.hear(refund(REFUND_FAILED, "evt_3")) == "passed"
    trade.hear(paid(trade.link()))
    assert trade.hear(refund(REFUNDED, "evt_2")) == "passed"
    assert trade.invoice().paid_amount == 90_00


def test_a_refund_that_waits_is_forgotten_once_it_fails(trade):
    trade.send()
    trade.keep()
    assert trade.hear(refund(REFUNDED, "evt_2")) == "waits"
    trade.hear(refund(REFUND_FAILED, "evt_3"))
    trade.hear(paid(trade.link()))
    assert trade.invoice().paid_amount == 90_00


def test_a_refund_that_a_person_took_back_already_is_not_taken_back_again(trade):
    trade.send()
    trade.keep()
    trade.hear(paid(trade.link()))
    trade.hear(refund(REFUNDED, "evt_2"))
    one = trade.invoice().id
    trade.landlord.do(payments.take_back, one, trade.landlord.see(payments.ledger, one).entries[1].id)
    assert trade.hear(refund(REFUND_FAILED, "evt_3")) == "passed"
    assert trade.invoice().paid_amount == 90_00


def test_a_late_failure_takes_nothing_back(trade):
    trade.send()
    trade.keep()
    trade.hear(paid(trade.link()))
    assert trade.hear(ProviderEvent("evt_5", FAILED, "pi_1", 90_00, "USD", AT, trade.link())) == "passed"
    assert trade.invoice().status == "PAID"


def test_money_for_an_invoice_that_is_gone_is_for_a_person(trade):
    trade.send()
    trade.keep()
    link = trade.link()
    trade.landlord.do(properties.remove, trade.maple.id, FakeArchive())
    assert trade.hear(paid(link)) == "to check"
    (waits,) = trade.landlord.read(stored_events.to_check, None, limit=10, offset=0)
    assert waits.says == "Its invoice was deleted."


def test_messages_that_come_at_once_see_each_other(trade):
    trade.send()
    trade.keep()
    refund = ProviderEvent("evt_9", REFUNDED, "pi_1", 90_00, "USD", AT, None, "re_1")
    take, link = provider_events.take, trade.link()
    while_somebody_else_writes(
        trade.landlord.database,
        lambda tx: take(tx, trade.account_id, STRIPE, paid(link)),
        lambda tx: take(tx, trade.account_id, STRIPE, refund),
    )
    assert (trade.invoice().status, trade.invoice().paid_amount) == ("SENT", 0)


def test_the_same_message_twice_at_once_counts_once_and_is_taken_both_times(trade):
    trade.send()
    trade.keep()
    event, take = paid(trade.link()), provider_events.take
    while_somebody_else_writes(
        trade.landlord.database,
        lambda tx: take(tx, trade.account_id, STRIPE, event),
        lambda tx: take(tx, trade.account_id, STRIPE, event),
    )
    assert (trade.invoice().status, trade.invoice().paid_amount) == ("PAID", 90_00)


def test_a_dispute_that_is_lost_and_won_leaves_what_was_refunded(trade):
    trade.send()
    trade.keep()
    trade.hear(paid(trade.link()))
    about = ("pi_1", 90_00, "USD", AT, None)
    assert trade.hear(ProviderEvent("evt_2", REFUNDED, "pi_1", 30_00, "USD", AT, None, "re_1")) == "counted"
    assert trade.hear(ProviderEvent("evt_3", CHARGED_BACK, *about, "dp_1")) == "waits"
    assert trade.landlord.see(provider_events.number_to_check) == 1
    assert trade.hear(ProviderEvent("evt_4", GIVEN_BACK, *about, "dp_1")) == "passed"
    assert trade.landlord.see(provider_events.number_to_check) == 0
    assert trade.invoice().paid_amount == 60_00


def test_a_refund_after_a_won_dispute_counts_though_it_is_told_of_first(trade):
    trade.send()
    trade.keep()
    trade.hear(paid(trade.link()))
    about = ("pi_1", 90_00, "USD", AT, None)
    trade.hear(ProviderEvent("evt_3", CHARGED_BACK, *about, "dp_1"))
    assert trade.hear(ProviderEvent("evt_2", REFUNDED, "pi_1", 30_00, "USD", AT, None, "re_1")) == "waits"
    trade.hear(ProviderEvent("evt_4", GIVEN_BACK, *about, "dp_1"))
    assert trade.invoice().paid_amount == 60_00


def test_what_was_not_counted_is_shown_until_somebody_has_looked(trade):
    trade.send()
    trade.keep()
    trade.hear(paid(trade.link(), 1_00))
    (row,) = trade.landlord.see(provider_events.to_check)
    trade.landlord.do(provider_events.checked, STRIPE, row.event_id)
    assert trade.landlord.see(provider_events.to_check) == []
    assert trade.invoice().paid_amount == 0


def marked_as_paid_and_then_paid_online(trade):
    trade.send()
    trade.keep()
    link = trade.link()
    trade.landlord.set_status(trade.maple, "1", "PAID")
    assert [trade.hear(paid(link)), trade.hear(paid(link, event="evt_2"))] == ["counted"] * 2
    assert trade.invoice().paid_amount == 180_00
    (row,) = trade.landlord.see(provider_events.to_check)
    assert row.why == Reason.MARKED_AS_PAID
    return row


def test_what_was_marked_as_paid_and_comes_online_is_asked_about_and_counts_once_if_it_is_the_same(trade):
    row = marked_as_paid_and_then_paid_online(trade)
    trade.landlord.do(provider_events.checked, STRIPE, row.event_id, is_same=True)
    found = trade.landlord.see(payments.ledger, trade.invoice().id)
    assert (found.invoice.status, found.invoice.paid_amount, found.noted) == ("PAID", 90_00, 0)
    ((verb, kept),) = trade.answers()
    assert (verb, kept["message"], kept["payment"], kept["amount"]) == ("call payment the same", "evt_1", "pi_1", 90_00)
    assert (kept["entry_id"], kept["same_as"]) == (found.entries[0].id, "what marking it as paid had noted")
    assert trade.landlord.see(provider_events.number_to_check) == 0
    with pytest.raises(NotFound):
        trade.landlord.do(provider_events.checked, STRIPE, row.event_id, is_same=True)


def test_what_was_marked_as_paid_and_paid_again_online_is_a_credit_once_somebody_says_so(trade):
    row = marked_as_paid_and_then_paid_online(trade)
    trade.landlord.do(provider_events.checked, STRIPE, row.event_id)
    assert trade.landlord.see(provider_events.number_to_check) == 0
    found = trade.landlord.see(payments.ledger, trade.invoice().id)
    assert found.position.credit == 90_00
    ((verb, kept),) = trade.answers()
    assert (verb, kept["message"], kept["entry_id"]) == ("call payment another", "evt_1", found.entries[0].id)
    assert kept["same_as"] is None
    assert trade.hear(paid(row.link)) == "counted", "told once more it asks nothing"
    assert trade.landlord.see(provider_events.number_to_check) == 0


def test_a_payment_that_was_taken_back_is_asked_about_no_more(trade):
    row = marked_as_paid_and_then_paid_online(trade)
    one = trade.invoice().id
    trade.landlord.do(payments.take_back, one, trade.landlord.see(payments.ledger, one).entries[0].id)
    with pytest.raises(NotFound):
        trade.landlord.do(provider_events.checked, STRIPE, row.event_id, is_same=True)
    found = trade.landlord.see(payments.ledger, one)
    assert (found.invoice.status, found.invoice.paid_amount, found.noted) == ("PAID", 90_00, 90_00)
