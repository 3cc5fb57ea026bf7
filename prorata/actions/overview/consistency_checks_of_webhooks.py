"""The checks of `prorata check` on online payment and webhooks."""

from collections.abc import Iterator

from prorata.store.database.engine import Tx
from prorata.store.overview import consistency_checks_of_webhooks


def of_told(tx: Tx, account_id: str) -> Iterator[str]:
    """Yield a sentence for each provider message, payment link or webhook that is invalid."""
    for event_id in consistency_checks_of_webhooks.without_entry(tx, account_id):
        yield f"Message {event_id} of the payment provider is marked as counted, but no ledger has its entry."
    for event_id in consistency_checks_of_webhooks.unlike_entry(tx, account_id):
        yield f"Message {event_id} of the payment provider has a different amount, invoice or kind than its entry."
    for event_id in consistency_checks_of_webhooks.waiting_for_nothing(tx, account_id):
        yield f"Message {event_id} of the payment provider is waiting for its payment, which has already arrived."
    for invoice_id in consistency_checks_of_webhooks.live_twice(tx, account_id):
        yield f"Invoice {invoice_id} has several payment links that can be paid."
    for number in consistency_checks_of_webhooks.shown_and_closed(tx, account_id):
        yield f"Invoice {number} shows a payment link that can't be paid."
    for number in consistency_checks_of_webhooks.asking_otherwise(tx, account_id):
        yield f"Invoice {number} shows a payment link that asks for a different amount than is left to pay."
    for endpoint_id in consistency_checks_of_webhooks.never_tried(tx, account_id):
        yield f"Webhook endpoint {endpoint_id} has waiting messages that nobody sends."
    for endpoint_id in consistency_checks_of_webhooks.ahead(tx, account_id):
        yield f"Webhook endpoint {endpoint_id} was notified of events that haven't happened yet."
