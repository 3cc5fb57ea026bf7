"""Deletion of original messages, some time after they no longer need attention.

The outcome of a message and the files that it brought stay. Mail from strangers that brought no bill is deleted
after some days, because anybody may send it.
"""

from datetime import timedelta
from typing import Final

from prorata.actions.inbound_mail.inbox_addresses import allowed_senders
from prorata.actions.jobs.recurring import Kept
from prorata.domain.inbound_mail.inbox_addresses import (
    AGAIN,
    DEALT_WITH,
    KEEP_DAYS_OF_STRANGERS,
    NOTHING,
    REFUSED,
    REPORT,
    TAKEN,
    is_allowed,
)
from prorata.store.database.engine import Tx, timestamp
from prorata.store.inbound_mail import inbox_addresses, incoming_mail, mail_volume

AT_ONCE = 100
"""The number of messages that are deleted in one transaction.

More are deleted at the next check.
"""
LOOKED_AT_ONCE = 1_000
_NOTHING_IN_IT = (NOTHING, AGAIN, REPORT)
_DONE = (TAKEN, NOTHING, REFUSED, AGAIN, REPORT, DEALT_WITH)


def _is_any_old(tx: Tx, account_id: str) -> bool:
    """True if some of an account's original messages are due for deletion."""
    return bool(_old(tx, account_id, 1))


def _clear(tx: Tx, account_id: str) -> None:
    """Delete some original messages that are due for deletion.

    A message is kept while it waits for a person, and while a file that it brought is neither a bill nor set
    aside.
    """
    if mail_ids := _old(tx, account_id, AT_ONCE):
        incoming_mail.clear(tx, account_id, mail_ids)


def _old(tx: Tx, account_id: str, limit: int) -> list[str]:
    row = inbox_addresses.find(tx, account_id)
    if row is None or not row.keep_days:
        return []
    before = timestamp(tx.moment - timedelta(days=row.keep_days))
    mail_ids = incoming_mail.old(tx, account_id, _DONE, before=before, limit=limit)
    return mail_ids or _of_strangers(tx, account_id, timedelta(days=min(row.keep_days, KEEP_DAYS_OF_STRANGERS)))[:limit]


def _of_strangers(tx: Tx, account_id: str, kept: timedelta) -> list[str]:
    """List the ids of the largest messages without a bill that are due for deletion.

    Only messages from senders who are not allowed, and those to the return addresses of Prorata's own messages,
    are listed.
    """
    before, allowed = timestamp(tx.moment - kept), allowed_senders(tx, account_id)
    rows = mail_volume.largest_of_strangers(
        tx, account_id, _NOTHING_IN_IT, allowed, before=before, limit=LOOKED_AT_ONCE
    )  # fmt: skip
    return [
        row.id
        for row in rows
        if row.about is not None
        or (row.accepted_by is None and not (row.authentic and is_allowed(row.sender, allowed)))
    ]


MAIL: Final = Kept(_is_any_old, _clear)
