"""The stored sums of an account's open amounts, by currency.

The sums are kept up to date, so that a page can show them without reading the invoices.
"""

from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import bindparam, select, update

from prorata.domain.invoices.open_money import OpenMoney, summed
from prorata.store.database.engine import Tx
from prorata.store.database.statements import adds_if_new, changes, columns_for, returns
from prorata.store.schema.tables import open_money


class OpenRow(NamedTuple):
    """The open amounts of all invoices in one currency, in cents."""

    currency: str
    owed_number: int
    owed: int
    overdue_number: int
    overdue: int
    credit_number: int
    credit: int
    refund_number: int
    refund: int

    @property
    def money(self) -> OpenMoney:
        """The open amounts, without the currency."""
        return OpenMoney(*self[1:])


_OF_ACCOUNT = returns(
    OpenRow,
    select(*columns_for(OpenRow, open_money))
    .where(open_money.c.account_id == bindparam("account"))
    .order_by(open_money.c.currency),
)
_START = adds_if_new(open_money)
_ADD = changes(
    update(open_money)
    .where(open_money.c.account_id == bindparam("account"), open_money.c.currency == bindparam("of_currency"))
    .values({name: open_money.c[name] + bindparam(f"more_{name}") for name in OpenMoney._fields})
)


def of_account(tx: Tx, account_id: str) -> list[OpenRow]:
    """List an account's open amounts, by currency.

    A currency in which nothing is open any more may be listed with zeros.
    """
    return tx.all(_OF_ACCOUNT, account=account_id)


def add(tx: Tx, account_id: str, more: Mapping[str, OpenMoney]) -> None:
    """Add changes to an account's open amounts, given by currency.

    The changed sums are written when the transaction ends.
    """
    sums = tx.at_the_end(f"open money of {account_id}", lambda: _Sums(account_id))
    for currency, added_money in more.items():
        sums.more[currency] = summed([sums.more.get(currency, OpenMoney()), added_money])


class _Sums:
    """The changes that one transaction makes to an account's sums.

    They are written in the alphabetical order of their currencies.
    """

    def __init__(self, account_id: str) -> None:
        self.account_id = account_id
        self.more: dict[str, OpenMoney] = {}

    def write(self, tx: Tx) -> None:
        """Add the changes to the stored sums."""
        changed = [(currency, money) for currency, money in sorted(self.more.items()) if any(money)]
        nothing = {"account_id": self.account_id, **OpenMoney()._asdict()}
        tx.run_many(_START, [nothing | {"currency": currency} for currency, _ in changed])
        tx.run_many(
            _ADD,
            [
                {"account": self.account_id, "of_currency": currency}
                | {f"more_{name}": number for name, number in money._asdict().items()}
                for currency, money in changed
            ],
        )
