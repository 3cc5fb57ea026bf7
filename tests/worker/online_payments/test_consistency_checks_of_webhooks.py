"""`prorata check` examines payment links, providers' messages and webhooks."""

import pytest
from sqlalchemy import text

from prorata.actions.overview.consistency_checks import check_account
from prorata.domain.online_payments.payment_links import (
    CHARGED_BACK,
    GIVEN_BACK,
    REFUND_FAILED,
    REFUNDED,
    Happening,
    ProviderEvent,
)
from prorata.store.database.engine import Database
from prorata.store.database.statements import changes
from tests.landlord import Landlord, MovableClock
from tests.webhook_receiver import Receiver, says
from tests.worker.hooked import Hooked
from tests.worker.trade import AT, Trade, paid

UNLIKE = "has a different amount, invoice or kind than its entry"
OF_COUNTED = {
    "a payment of another amount": "provider_event SET amount = 8999 WHERE happening = 'paid' AND",
    "a refund of another amount": "provider_event SET amount = 3001 WHERE happening = 'refunded' AND",
    "what took a refund back": "provider_event SET amount = 3001 WHERE happening = 'refund failed' AND",
    "what a dispute gave back": "provider_event SET amount = 8999 WHERE happening = 'given back' AND",
    "another invoice": "provider_event SET invoice_id = 'inv_another' WHERE happening = 'paid' AND",
    "a refund that is entered as a payment": "payment SET kind = 'PAYMENT' WHERE kind = 'REFUND' AND",
    "a payment that is entered as a refund": "payment SET kind = 'REFUND' WHERE source = 'stripe pi_1' AND",
    "an entry of another provider": "payment SET provider = 'sandbox' WHERE source = 'stripe pi_1' AND",
}
OF_PAYMENTS = {
    "is marked as counted, but no ledger has its entry": "provider_event SET payment = 'pi_2'",
    "is waiting for its payment, which has already arrived": "provider_event SET state = 'waits'",
    "has several payment links": "payment_link SET state = 'live'",
    "shows a payment link that can't be paid": "payment_link SET state = 'closed'",
    "shows a payment link that asks for a different amount": "payment_link SET amount = amount + 1",
    "shows a payment link that asks for a different amount than": "invoice SET status = 'CANCELLED'",
}
OF_WEBHOOKS = {
    "has waiting messages that nobody sends": "webhook_endpoint SET next_at = null",
    "was notified of events that haven't happened yet": "webhook_endpoint SET sent_to = 1000000",
}


@pytest.fixture
def landlord(database: Database, clock: MovableClock) -> Landlord:
    """A landlord whose records are not checked at the end.

    The records that the test breaks stay broken.
    """
    return Landlord(database, clock)


def found_after(landlord: Landlord, change: str) -> list[str]:
    """The findings of the check after a change that bypasses the program."""
    assert list(check_account(landlord.database, landlord.account.id)) == []
    where = "" if "WHERE" in change else "WHERE"
    update = f"UPDATE {change} {where} account_id = '{landlord.account.id}'"
    assert landlord.run(lambda tx: tx.run(changes(text(update)))), "something is changed"
    return list(check_account(landlord.database, landlord.account.id))


@pytest.mark.parametrize(("sentence", "change"), OF_PAYMENTS.items())
def test_what_was_told_of_payments_is_held_against_ledgers_and_invoices(
    landlord: Landlord, sentence: str, change: str
) -> None:
    trade = Trade(landlord)
    trade.send()
    trade.keep()
    trade.hear(paid(trade.link()))
    trade.hear(ProviderEvent("evt_2", REFUNDED, "pi_1", 30_00, "USD", AT, None, "re_1"))
    trade.keep()
    said = found_after(landlord, change)
    assert any(sentence in one for one in said), said


@pytest.mark.parametrize("change", OF_COUNTED.values(), ids=OF_COUNTED.keys())
def test_each_counted_message_is_held_against_its_entry(landlord: Landlord, change: str) -> None:
    trade = Trade(landlord)
    trade.send()
    trade.keep()
    trade.hear(paid(trade.link()))
    told: list[tuple[Happening, int, str]] = [
        (REFUNDED, 30_00, "re_1"), (REFUND_FAILED, 30_00, "re_1"),
        (CHARGED_BACK, 90_00, "dp_1"), (GIVEN_BACK, 90_00, "dp_1"),
    ]  # fmt: skip
    for number, (happening, cents, reference) in enumerate(told, start=2):
        said = trade.hear(ProviderEvent(f"evt_{number}", happening, "pi_1", cents, "USD", AT, None, reference))
        assert said == "counted"
    trade.keep()
    said = found_after(landlord, change)
    assert any(UNLIKE in one for one in said), said


@pytest.mark.parametrize(("sentence", "change"), OF_WEBHOOKS.items())
def test_what_became_of_webhooks_is_looked_at(
    landlord: Landlord, clock: MovableClock, sentence: str, change: str
) -> None:
    hooked = Hooked(landlord, clock)
    with Receiver(says(500)) as receiver:
        hooked.hook(receiver.url)
        landlord.property_()
        hooked.work()
    said = found_after(landlord, change)
    assert any(sentence in one for one in said), said
