"""Limits on an account's mail to other people, needed because anybody can sign up."""

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
    """The reason why a message to other people must wait, and when to try again.

    `until` is None if that time is not known.
    """

    why: str
    until: datetime | None = None


def why_none_leaves(tx: Tx, account_id: str) -> Wait | None:
    """Explain why an account may not e-mail other people yet; None if it may."""
    return None if members.has_verified_owner(tx, account_id) else Wait(NOT_CONFIRMED)


def why_no_more_today(tx: Tx, account_id: str) -> Wait | None:
    """Explain why an account's mail quota for today is used up; None if it isn't.

    This only reads the quota: no message is counted as sent.
    """
    account = accounts.find(tx, account_id)
    if account is None or not _is_capped(tx, account):
        return None
    return _enough(tx) if mail_days.number(tx, account_id, _today(tx)) >= MOST_MAIL_A_DAY else None


def room_today(tx: Tx, account: AccountRow) -> int | None:
    """Return the number of messages that an account may still send to other people today.

    Return None if there is no limit. This only reads the quota: no message is counted as sent.
    """
    if not _is_capped(tx, account):
        return None
    return max(0, MOST_MAIL_A_DAY - mail_days.number(tx, account.id, _today(tx)))


def waiting(tx: Tx, account: AccountRow) -> int:
    """Count an account's waiting messages about invoices; 0 if its mail is not limited."""
    return mail_days.number_waiting(tx, account.id) if _is_capped(tx, account) else 0


def take(tx: Tx, account_id: str) -> Wait | None:
    """Count a message to other people against today's quota, or return why it must wait.

    A message is counted once, however often sending is tried.
    """
    account = accounts.find(tx, account_id)
    if account is None or account.mail_capped_until is None:
        return None
    if not _is_capped(tx, account):
        mail_days.forget(tx, account_id)
        return None
    return None if mail_days.take(tx, account_id, _today(tx), MOST_MAIL_A_DAY) else _enough(tx)


def refuse(tx: Tx, account_id: str) -> None:
    """Count a message to other people that a person sends now, or refuse it.

    Raises `Conflict` if the message would have to wait, for instance because today's quota is used up.
    """
    if wait := why_none_leaves(tx, account_id):
        raise Conflict(wait.why)
    if take(tx, account_id):
        raise Conflict(NOT_TODAY)


def begin(tx: Tx, account_id: str) -> None:
    """Limit a new account's mail for a week, beginning when its owner's address was confirmed.

    An account that the operator opened has no limit.
    """
    accounts.cap_mail(tx, account_id, timestamp(tx.moment + CAPPED_FOR))


def _is_capped(tx: Tx, account: AccountRow) -> bool:
    return account.mail_capped_until is not None and account.mail_capped_until > tx.now


def _today(tx: Tx) -> str:
    """Return today's date in UTC, so that changing the time zone doesn't renew the quota."""
    return tx.moment.astimezone(UTC).date().isoformat()


def _enough(tx: Tx) -> Wait:
    return Wait(ENOUGH_TODAY, next_midnight(tx.moment, "UTC"))
