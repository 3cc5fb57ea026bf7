"""A tenant's statement: what was invoiced and what came, by days, with the balance after each.

The balance is what the tenant owes, in cents; below zero it is a credit.
"""

from collections.abc import Iterable
from datetime import date
from typing import Final, Literal, NamedTuple

StatementKind = Literal["INVOICE", "PAYMENT", "REFUND", "REVERSAL", "CARRY", "MARKED_PAID"]
INVOICE: Final = "INVOICE"
MARKED_PAID: Final = "MARKED_PAID"


class Posting(NamedTuple):
    """Something that changes what a tenant owes, by `amount` cents, on a `day` (YYYY-MM-DD), of an invoice. `of` is the
    kind of the entry that a REVERSAL takes back, else empty; `other` the number of the other invoice of a carry.
    """

    day: str
    kind: str
    invoice_id: str
    number: str
    amount: int
    of: str = ""
    other: str = ""

    @property
    def charged(self) -> int | None:
        """What the tenant was asked for by it; None of what is no invoice."""
        return self.amount if self.kind == INVOICE else None

    @property
    def paid(self) -> int | None:
        """What came from the tenant by it, below zero where it went back; None of an invoice."""
        return None if self.kind == INVOICE else -self.amount


class StatementRow(NamedTuple):
    """A posting, and the balance after it, in cents."""

    posting: Posting
    balance: int


class Statement(NamedTuple):
    """What a tenant owed at first, what changed it, and what the tenant owes in the end, in cents."""

    opening: int
    rows: tuple[StatementRow, ...]
    closing: int


def statement(opening: int, postings: Iterable[Posting]) -> Statement:
    """The statement of some days, from what was owed before them and what changed it then, which of one day keeps its
    order behind the invoices. It sums: the opening balance and all amounts make the closing one.

    >>> asked = Posting("2026-03-02", INVOICE, "inv_1", "A-1-2026-02", 50_00)
    >>> came = Posting("2026-03-20", "PAYMENT", "inv_1", "A-1-2026-02", -60_00)
    >>> found = statement(20_00, [came, asked])
    >>> found.opening, [row.balance for row in found.rows], found.closing
    (2000, [7000, 1000], 1000)
    """
    balance, rows = opening, list[StatementRow]()
    for one in sorted(postings, key=_order):
        balance += one.amount
        rows.append(StatementRow(one, balance))
    return Statement(opening, tuple(rows), balance)


def _order(one: Posting) -> tuple[str, bool, bool, str]:
    is_invoice = one.kind == INVOICE
    return one.day, not is_invoice, one.kind == MARKED_PAID, one.number if is_invoice else ""


def last_year(today: date) -> date:
    """The day from which a statement is shown at first: the first of this month a year ago.

    >>> last_year(date(2024, 2, 29)).isoformat()
    '2023-02-01'
    """
    return date(today.year - 1, today.month, 1)
