"""Whether an account may mail others yet: sign-up is open to anybody, and mail in our name is not."""

from datetime import UTC, datetime
from typing import NamedTuple

from prorata.domain.due_times import next_midnight
from prorata.domain.limits import MOST_MAIL_A_DAY
from prorata.domain.mail.allowances import CAPPED_FOR, ENOUGH_TODAY, NOT_CONFIRMED, NOT_TODAY
from prorata.errors import Conflict
from prorata.store.accounts import accounts, members
from prorata.store.accounts.accounts import AccountRow
from prorata.store.database.engine import Tx, timestamp
from prorata.store.mail import quota as mail_days


class Wait(NamedTuple):
    """Why a message to others does not leave yet, in a sentence, and when to look again, where that is known."""

    why: str
    until: datetime | None = None


def why_none_leaves(tx: Tx, account_id: str) -> Wait | None:
    """Why no message to others leaves yet; None where they may."""
    return None if members.has_verified_owner(tx, account_id) else Wait(NOT_CONFIRMED)


def why_no_more_today(tx: Tx, account_id: str) -> Wait | None:
    """Why no further message to others is begun today; None where one is. Counts nothing."""
    account = accounts.find(tx, account_id)
    if account is None or not _is_capped(tx, account):
        return None
    return _enough(tx) if mail_days.number(tx, account_id, _today(tx)) >= MOST_MAIL_A_DAY else None


def room_today(tx: Tx, account: AccountRow) -> int | None:
    """How many further messages to others may be begun today; None where they are not limited. Counts nothing."""
    if not _is_capped(tx, account):
        return None
    return max(0, MOST_MAIL_A_DAY - mail_days.number(tx, account.id, _today(tx)))


def take(tx: Tx, account_id: str) -> Wait | None:
    """Count a message to others that is begun, once for all of its tries; or say why it waits for another day."""
    account = accounts.find(tx, account_id)
    if account is None or account.mail_capped_until is None:
        return None
    if not _is_capped(tx, account):
        mail_days.forget(tx, account_id)
        return None
    return None if mail_days.take(tx, account_id, _today(tx), MOST_MAIL_A_DAY) else _enough(tx)


def refuse(tx: Tx, account_id: str) -> None:
    """Count a message to others that a person wants sent now. Raises `Conflict` where it would have to wait."""
    if wait := why_none_leaves(tx, account_id):
        raise Conflict(wait.why)
    if take(tx, account_id):
        raise Conflict(NOT_TODAY)


def begin(tx: Tx, account_id: str) -> None:
    """Limit the mail of a new account for a week from now, when its owner's address is known to be theirs; that of an
    account which an operator vouched for stays as it is.
    """
    accounts.cap_mail(tx, account_id, timestamp(tx.moment + CAPPED_FOR))


def _is_capped(tx: Tx, account: AccountRow) -> bool:
    return account.mail_capped_until is not None and account.mail_capped_until > tx.now


def _today(tx: Tx) -> str:
    """The day in UTC: an account that changes its time zone has no second one."""
    return tx.moment.astimezone(UTC).date().isoformat()


def _enough(tx: Tx) -> Wait:
    return Wait(ENOUGH_TODAY, next_midnight(tx.moment, "UTC"))
