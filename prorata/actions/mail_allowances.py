"""Whether an account may mail others yet: sign-up is open to anybody, and mail in our name is not."""

from datetime import datetime
from typing import NamedTuple

from prorata.domain.clockwork import day_in, next_midnight
from prorata.domain.mail_allowances import ENOUGH_TODAY, MOST_A_DAY, NOT_CONFIRMED
from prorata.errors import Conflict
from prorata.store import accounts, mail_days, members
from prorata.store.accounts import AccountRow
from prorata.store.engine import Tx


class Wait(NamedTuple):
    """Why a message to others does not leave yet, in a sentence, and when to look again, where that is known."""

    why: str
    until: datetime | None = None


def why_none_leaves(tx: Tx, account_id: str) -> Wait | None:
    """Why no message to others leaves yet; None where they may."""
    return None if members.has_verified_owner(tx, account_id) else Wait(NOT_CONFIRMED)


def is_capped(tx: Tx, account_id: str) -> bool:
    """Whether an account's messages of a day are counted: it is new, and nobody answers for it."""
    account = accounts.find(tx, account_id)
    return account is not None and _is_capped(tx, account)


def take(tx: Tx, account_id: str) -> Wait | None:
    """Count a message to others that is begun, once for all of its tries; or say why it waits for another day."""
    account = accounts.find(tx, account_id)
    if account is None or account.mail_capped_until is None:
        return None
    if not _is_capped(tx, account):
        mail_days.forget(tx, account_id)
        return None
    today = day_in(tx.moment, account.timezone).isoformat()
    if mail_days.take(tx, account_id, today, MOST_A_DAY):
        return None
    return Wait(ENOUGH_TODAY, next_midnight(tx.moment, account.timezone))


def refuse(tx: Tx, account_id: str) -> None:
    """Count a message to others that a person wants sent now. Raises `Conflict` where it would have to wait."""
    wait = why_none_leaves(tx, account_id) or take(tx, account_id)
    if wait is not None:
        raise Conflict(wait.why)


def _is_capped(tx: Tx, account: AccountRow) -> bool:
    return account.mail_capped_until is not None and account.mail_capped_until > tx.now
