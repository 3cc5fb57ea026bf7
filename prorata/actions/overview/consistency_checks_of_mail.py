"""The checks of `prorata check` on an account's outgoing and incoming e-mails."""

from collections.abc import Iterator

from prorata.domain.mail.deliveries import WITH_THE_INVOICE
from prorata.store.database.engine import Tx
from prorata.store.overview import consistency_checks_of_mail


def of_mail(tx: Tx, account_id: str) -> Iterator[str]:
    """Yield a sentence for every e-mail, and every e-mailed invoice, that breaks an invariant."""
    for mail_id in consistency_checks_of_mail.forgotten(tx, account_id):
        yield f"Message {mail_id} is waiting to be sent, but no job sends it."
    for mail_id in consistency_checks_of_mail.unread(tx, account_id):
        yield f"Message {mail_id} has arrived and is waiting to be read, but no job reads it."
    for mail_id in consistency_checks_of_mail.odd(tx, account_id):
        yield f"Message {mail_id}: what is stored about its sending is contradictory."
    for number in consistency_checks_of_mail.shown_otherwise(tx, account_id, WITH_THE_INVOICE):
        yield f"Invoice {number} doesn't show the outcome of its latest message."
