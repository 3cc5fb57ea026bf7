"""A tenant's statement: invoices and payments by day, with the balance after each.

The balance is the amount that the tenant owes, in cents. It is negative for a credit.
"""

from collections.abc import Iterable
from datetime import date
from typing import Final, Literal, NamedTuple

StatementKind = Literal["INVOICE", "PAYMENT", "REFUND", "REVERSAL", "CARRY", "MARKED_PAID"]
INVOICE: Final = "INVOICE"
MARKED_PAID: Final = "MARKED_PAID"
NOTED: Final = "noted"
"""The name, in a receipt's address, of the amount recorded by marking an invoice as paid."""


class Posting(NamedTuple):
    """A change of a tenant's debt by `amount` cents, on a `day` (YYYY-MM-DD).

    It is an invoice, or an entry of an invoice's ledger. For a REVERSAL, `of` is the kind of the reversed entry;
    for a carry, `other` is the number of the other invoice. `receipt` is the payment's name in the address of its
    receipt, the entry's id or `NOTED`; it is empty if there is no receipt.
    """

    day: str
    kind: str
    invoice_id: str
    number: str
    amount: int
    of: str = ""
    other: str = ""
    receipt: str = ""

    @property
    def charged(self) -> int | None:
        """The amount invoiced, in cents; None if the posting is not an invoice."""
        return self.amount if self.kind == INVOICE else None

    @property
    def paid(self) -> int | None:
        """The cents that the tenant paid, negative if paid back; None for an invoice."""
        return None if self.kind == INVOICE else -self.amount


class StatementRow(NamedTuple):
    """A posting, and the balance after it, in cents."""

    posting: Posting
    balance: int


class Statement(NamedTuple):
    """A tenant's opening balance, postings and closing balance, in cents."""

    opening: int
    rows: tuple[StatementRow, ...]
    closing: int


def statement(opening: int, postings: Iterable[Posting]) -> Statement:
    """Build the statement of a period from its opening balance and postings.

    On each day, invoices come first, and other postings keep their order. The opening balance and all amounts sum to
    the closing balance.

    >>> asked = Posting("2026-03-02", INVOICE, "inv_1", "A-1-2026-02", 50_00)
    >>> came = Posting("2026-03-20", "PAYMENT", "inv_1", "A-1-2026-02", -60_00)
    >>> found = statement(20_00, [came, asked])
    >>> found.opening, [row.balance for row in found.rows], found.closing
    (2000, [7000, 1000], 1000)
    """
    balance, rows = opening, list[StatementRow]()
    for posting in sorted(postings, key=_order):
        balance += posting.amount
        rows.append(StatementRow(posting, balance))
    return Statement(opening, tuple(rows), balance)


def _order(posting: Posting) -> tuple[str, bool, bool, str]:
    is_invoice = posting.kind == INVOICE
    return posting.day, not is_invoice, posting.kind == MARKED_PAID, posting.number if is_invoice else ""


def last_year(today: date) -> date:
    """Return the default start of a statement: the first day of this month last year.

    >>> last_year(date(2024, 2, 29)).isoformat()
    '2023-02-01'
    """
    return date(today.year - 1, today.month, 1)
