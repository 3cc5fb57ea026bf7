"""Recurring work of accounts, such as daily checks, and when it is due."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import bindparam, select, update

from prorata.store.database.engine import Tx
from prorata.store.database.statements import adds, changes, returns, returns_one
from prorata.store.schema.job_tables import recurring

AT_ONCE = 100


class RecurringRow(NamedTuple):
    """Recurring work of an account, due next at `next_at` and last done at `fired_at`."""

    account_id: str
    name: str
    next_at: str
    fired_at: str | None


_mine = recurring.c.account_id == bindparam("account")
_this = recurring.c.name == bindparam("of_name")
_due = recurring.c.next_at <= bindparam("now")
_ADD = adds(recurring)
_OF_ACCOUNT = returns(RecurringRow, select(recurring).where(_mine).order_by(recurring.c.name))
_ADVANCE = changes(
    update(recurring)
    .where(_mine, _this, recurring.c.next_at == bindparam("seen"))
    .values(next_at=bindparam("to_next"), fired_at=bindparam("fired"))
)
_BRING_FORWARD = changes(
    update(recurring).where(_mine, _this, recurring.c.next_at > bindparam("moment")).values(next_at=bindparam("moment"))
)
_SET_NEXT = changes(update(recurring).where(_mine, _this).values(next_at=bindparam("to_next")))
_IS_DUE = returns_one(select(recurring.c.next_at).where(_due).limit(1))
_DUE = returns(
    RecurringRow,
    select(recurring)
    .where(_due)
    .order_by(recurring.c.next_at)
    .limit(bindparam("limit"))
    .with_for_update(skip_locked=True),
)


def add_many(tx: Tx, rows: Sequence[RecurringRow]) -> None:
    """Add recurring work for an account."""
    tx.run_many(_ADD, [row._asdict() for row in rows])


def of_account(tx: Tx, account_id: str) -> list[RecurringRow]:
    """List an account's recurring work, due or not."""
    return tx.all(_OF_ACCOUNT, account=account_id)


def advance(tx: Tx, row: RecurringRow, next_at: str) -> bool:
    """Record that recurring work is done, and set its next due time.

    Return False if another worker has already done so.
    """
    values = {"seen": row.next_at, "to_next": next_at, "fired": tx.now}
    return tx.run(_ADVANCE, account=row.account_id, of_name=row.name, **values) == 1


def bring_forward(tx: Tx, account_id: str, name: str) -> None:
    """Make an account's recurring work with this name due now."""
    tx.run(_BRING_FORWARD, account=account_id, of_name=name, moment=tx.now)


def set_next(tx: Tx, account_id: str, name: str, next_at: str) -> None:
    """Set the next due time of an account's recurring work, whatever it was before."""
    tx.run(_SET_NEXT, account=account_id, of_name=name, to_next=next_at)


def is_any_due(tx: Tx, now: str) -> bool:
    """True if recurring work of any account is due.

    This is for the worker only.
    """
    return tx.one(_IS_DUE, now=now) is not None


def due(tx: Tx, now: str) -> list[RecurringRow]:
    """List due work of all accounts, up to `AT_ONCE`, skipping work locked by other workers.

    This is for the worker only.
    """
    return tx.all(_DUE, now=now, limit=AT_ONCE)
