"""The letterheads of accounts: the logo and color of their invoices."""

from typing import NamedTuple

from sqlalchemy import bindparam, select

from prorata.domain.accounts.letterheads import Letterhead
from prorata.store.database.engine import Tx
from prorata.store.database.statements import puts, returns
from prorata.store.schema.tables import letterhead


class LetterheadRow(NamedTuple):
    """The logo and color of an account's invoices.

    The logo is printed beside the account's name.
    """

    account_id: str
    logo: bytes | None
    color: str | None
    updated_at: str


_FIND = returns(LetterheadRow, select(letterhead).where(letterhead.c.account_id == bindparam("account")))
_PUT = puts(letterhead)


def of_account(tx: Tx, account_id: str) -> Letterhead:
    """Return an account's letterhead; if the account has none, the logo and color are None."""
    row = tx.one(_FIND, account=account_id)
    return Letterhead(None if row.logo is None else bytes(row.logo), row.color) if row else Letterhead()


def put(tx: Tx, account_id: str, chosen: Letterhead) -> None:
    """Save the account's letterhead."""
    tx.run(_PUT, **LetterheadRow(account_id, chosen.logo, chosen.color, tx.now)._asdict())
