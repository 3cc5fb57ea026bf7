"""How long mail that came in is kept as it came, once nothing is to be done with it. What became of it, and the files
that it brought, stay.
"""

from datetime import timedelta

from prorata.domain.inbox_addresses import AGAIN, DEALT_WITH, NOTHING, REFUSED, REPORT, TAKEN
from prorata.store import inbox_addresses, incoming_mail
from prorata.store.engine import Tx, timestamp

MOST_AT_ONCE = 100
"""Messages that are cleared away in one transaction; more are when it is looked at again."""
_DONE = (TAKEN, NOTHING, REFUSED, AGAIN, REPORT, DEALT_WITH)


def is_any_old(tx: Tx, account_id: str) -> bool:
    """Whether an account has messages that were kept long enough."""
    return bool(_old(tx, account_id, 1))


def clear(tx: Tx, account_id: str) -> None:
    """Drop messages that were kept long enough, some of them. One that waits for a person, or that brought a file
    which nobody has decided about, is kept.
    """
    if found := _old(tx, account_id, MOST_AT_ONCE):
        incoming_mail.clear(tx, account_id, found)


def _old(tx: Tx, account_id: str, limit: int) -> list[str]:
    row = inbox_addresses.find(tx, account_id)
    if row is None or not row.keep_days:
        return []
    before = timestamp(tx.moment - timedelta(days=row.keep_days))
    return incoming_mail.old(tx, account_id, _DONE, before=before, limit=limit)
