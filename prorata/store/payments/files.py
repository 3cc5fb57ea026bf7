"""Bank statements: the original files, their tables' cells, and the columns' meanings."""

from typing import NamedTuple

from sqlalchemy import bindparam, delete, func, select

from prorata.store.database.engine import Tx
from prorata.store.database.statements import adds, changes, columns_for, returns, returns_one, row_values, saves
from prorata.store.schema.payment_tables import payment_file


class PaymentFileRow(NamedTuple):
    """A bank statement without its content.

    `rows` is the number of its rows, and `recorded` the number of rows recorded as payments.
    """

    account_id: str
    id: str
    name: str
    digest: str
    rows: int
    recorded: int
    choices: str | None
    state: str
    created_at: str
    updated_at: str


_KNOWN = columns_for(PaymentFileRow, payment_file)
_mine = payment_file.c.account_id == bindparam("account")
_this = payment_file.c.id == bindparam("id")
_FIND = returns(PaymentFileRow, select(*_KNOWN).where(_mine, _this))
_LOCK = returns(PaymentFileRow, select(*_KNOWN).where(_mine, _this).with_for_update())
_BY_DIGEST = returns_one(select(payment_file.c.id).where(_mine, payment_file.c.digest == bindparam("digest")))
_SHEET = returns_one(select(payment_file.c.sheet).where(_mine, _this))
_CONTENT = returns_one(select(payment_file.c.content).where(_mine, _this))
_LAST = "pfile_~"
"""A value that sorts after the ids of all files."""
_LATEST = returns(
    PaymentFileRow,
    select(*_KNOWN)
    .where(_mine, payment_file.c.state == bindparam("state"), payment_file.c.id < bindparam("before"))
    .order_by(payment_file.c.id.desc())
    .limit(bindparam("limit")),
)
_NUMBER_IN = returns_one(
    select(func.count()).select_from(payment_file).where(_mine, payment_file.c.state == bindparam("state"))
)
_ADD = adds(payment_file)
_CHANGEABLE = ("rows", "recorded", "choices", "state", "updated_at")
_SAVE = saves(payment_file, only=_CHANGEABLE)
_DONE_BEFORE = returns_one(
    select(payment_file.c.id)
    .where(_mine, payment_file.c.state == bindparam("state"), payment_file.c.updated_at < bindparam("before"))
    .order_by(payment_file.c.id)
    .limit(bindparam("limit"))
)
_REMOVE = changes(delete(payment_file).where(_mine, _this))


def find(tx: Tx, account_id: str, file_id: str) -> PaymentFileRow | None:
    """Find the account's bank statement with this id."""
    return tx.one(_FIND, account=account_id, id=file_id)


def lock(tx: Tx, account_id: str, file_id: str) -> PaymentFileRow | None:
    """Find and lock the account's bank statement with this id until the transaction ends."""
    return tx.one(_LOCK, account=account_id, id=file_id)


def with_digest(tx: Tx, account_id: str, digest: str) -> str | None:
    """Find the id of the account's bank statement whose bytes have this digest."""
    return tx.one(_BY_DIGEST, account=account_id, digest=digest)


def sheet(tx: Tx, account_id: str, file_id: str) -> bytes | None:
    """Find the cells of a bank statement's table, in compressed form."""
    return tx.one(_SHEET, account=account_id, id=file_id)


def content(tx: Tx, account_id: str, file_id: str) -> bytes | None:
    """Find the original bytes of a bank statement."""
    return tx.one(_CONTENT, account=account_id, id=file_id)


def latest(tx: Tx, account_id: str, state: str, limit: int, *, before: str | None = None) -> list[PaymentFileRow]:
    """List up to `limit` bank statements in a state, latest first.

    If `before` is given, only bank statements with lower ids are listed.
    """
    return tx.all(_LATEST, account=account_id, state=state, before=before or _LAST, limit=limit)


def number_in(tx: Tx, account_id: str, state: str) -> int:
    """Count the account's bank statements in a state."""
    return tx.one(_NUMBER_IN, account=account_id, state=state) or 0


def done_before(tx: Tx, account_id: str, state: str, before: str, limit: int) -> list[str]:
    """List the ids of bank statements in a state last changed before a time.

    Up to `limit` ids are listed.
    """
    return tx.all(_DONE_BEFORE, account=account_id, state=state, before=before, limit=limit)


def add(tx: Tx, row: PaymentFileRow, content: bytes, sheet: bytes) -> None:
    """Add a bank statement with its content."""
    tx.run(_ADD, **row._asdict(), content=content, sheet=sheet)


def save(tx: Tx, row: PaymentFileRow) -> None:
    """Save the fields of a bank statement that can change."""
    tx.run(_SAVE, **row_values(payment_file, row, _CHANGEABLE))


def remove(tx: Tx, account_id: str, file_id: str) -> None:
    """Delete a bank statement with its bytes and cells.

    The payments recorded from it are kept.
    """
    tx.run(_REMOVE, account=account_id, id=file_id)
