"""A message about a payment or loss that was taken back is shown without counting.

A person has taken back its entry.
"""

import pytest

from prorata.actions.payments import payments
from prorata.actions.properties import properties
from prorata.domain.invoices.ledger import PAYMENT, REFUND
from prorata.domain.online_payments.payment_links import CHARGED_BACK, GIVEN_BACK, REFUND_FAILED, REFUNDED, Happening
from prorata.domain.online_payments.provider_reasons import Reason
from tests.landlord import FakeArchive
from tests.worker.online_payments.test_messages_to_look_at import by_hand, look, shown, told
from tests.worker.trade import Trade, paid


def standing(trade: Trade) -> tuple[str, int]:
    return trade.invoice().status, trade.invoice().paid_amount


def take_back_the_providers(trade: Trade, kind: str = PAYMENT) -> None:
    """Take back the entry that the provider's message has made."""
    found = trade.landlord.see(payments.ledger, trade.invoice().id)
    (entry,) = [one for one in found.entries if one.provider and one.kind == kind]
    trade.landlord.do(payments.take_back, trade.invoice().id, entry.id)


@pytest.mark.parametrize("happening", [REFUNDED, CHARGED_BACK])
def test_a_refund_of_a_payment_that_was_taken_back_is_shown_and_takes_nothing(
    trade: Trade, happening: Happening
) -> None:
    link = trade.link()
    by_hand(trade, 95_00)
    trade.hear(paid(link))
    take_back_the_providers(trade)
    assert [trade.hear(told(happening, cents=90_00)), standing(trade)] == ["to check", ("PAID", 95_00)]
    (row,) = shown(trade)
    assert (row.why, row.invoice_id) == (Reason.PAYMENT_TAKEN_BACK, trade.invoice().id)
    look(trade, row)
    assert (shown(trade), standing(trade)) == ([], ("PAID", 95_00))


def test_a_refund_that_was_counted_before_its_payment_was_taken_back_stays_counted(trade: Trade) -> None:
    link = trade.link()
    by_hand(trade, 95_00)
    trade.hear(paid(link))
    trade.hear(told(REFUNDED))
    take_back_the_providers(trade)
    assert trade.hear(told(REFUNDED, "evt_3")) == "counted"
    assert (trade.invoice().paid_amount, trade.hear(told(REFUND_FAILED, "evt_4"))) == (65_00, "counted")
    assert (standing(trade), shown(trade)) == (("PAID", 95_00), [])


def test_a_refund_of_what_was_taken_back_asks_nothing_once_it_has_failed(trade: Trade) -> None:
    trade.hear(paid(trade.link()))
    take_back_the_providers(trade)
    assert trade.hear(told(REFUNDED)) == "to check"
    assert trade.hear(told(REFUND_FAILED, "evt_3")) == "passed"
    assert (standing(trade), shown(trade)) == (("SENT", 0), [])


def test_a_dispute_that_is_lost_and_won_of_what_was_taken_back_asks_nothing(trade: Trade) -> None:
    trade.hear(paid(trade.link()))
    take_back_the_providers(trade)
    assert trade.hear(told(CHARGED_BACK, cents=90_00)) == "to check"
    assert trade.hear(told(GIVEN_BACK, "evt_3", 90_00)) == "passed"
    assert (standing(trade), shown(trade)) == (("SENT", 0), [])


def test_what_a_won_dispute_gives_back_is_shown_where_its_loss_was_taken_back(trade: Trade) -> None:
    trade.hear(paid(trade.link()))
    assert trade.hear(told(CHARGED_BACK, cents=90_00)) == "counted"
    take_back_the_providers(trade, REFUND)
    assert trade.hear(told(GIVEN_BACK, "evt_3", 90_00)) == "to check"
    assert [row.why for row in shown(trade)] == [Reason.LOSS_TAKEN_BACK]
    assert standing(trade) == ("PAID", 90_00)


def test_what_a_won_dispute_gives_back_counts_where_its_loss_does_whatever_became_of_the_payment(trade: Trade) -> None:
    link = trade.link()
    by_hand(trade, 90_00)
    trade.hear(paid(link))
    trade.hear(told(CHARGED_BACK, cents=90_00))
    take_back_the_providers(trade)
    assert trade.hear(told(GIVEN_BACK, "evt_3", 90_00)) == "counted"
    assert trade.hear(told(GIVEN_BACK, "evt_4", 90_00)) == "counted"
    assert standing(trade) == ("PAID", 90_00)


def test_what_a_won_dispute_gives_back_is_shown_where_its_invoice_was_deleted(trade: Trade) -> None:
    trade.hear(paid(trade.link()))
    trade.hear(told(CHARGED_BACK, cents=90_00))
    trade.landlord.do(properties.remove, trade.maple.id, FakeArchive())
    assert trade.hear(told(GIVEN_BACK, "evt_3", 90_00)) == "to check"
