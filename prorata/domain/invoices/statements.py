"""A tenant's statement: invoices and payments by day, with the balance after each.

The balance is the amount that the tenant owes, in cents. It is negative for a credit.
"""

from collections.abc import Iterable
from datetime import date
from typing import Final, Literal, NamedTuple

from prorata.domain.invoices.ledger import CARRY

StatementKind = Literal["INVOICE", "PAYMENT", "REFUND", "REVERSAL", "CARRY", "MARKED_PAID"]
INVOICE: Final = "INVOICE"
MARKED_PAID: Final = "MARKED_PAID"
NOTED: Final = "noted"
"""The name, in a receipt's address, of the amount recorded by marking an invoice as paid."""


class Posting(NamedTuple):
    """A change of a tenant's debt by `amount` cents, on a `day` (YYYY-MM-DD).

    It is an invoice, or an entry of an invoice's ledger. For a REVERSAL, `of` is the kind of the reversed entry; for a
    carry and its reversal, `other` is the number of the other invoice. `receipt` is the payment's name in the address
    of its receipt, the entry's id or `NOTED`; it is empty if there is no receipt. `entry` is the id of the ledger
    entry; the two entries of a carry share it. `open` are the cents of the invoice that are open today, negative for a
    credit.
    """

    day: str
    kind: str
    invoice_id: str
    number: str
    amount: int
    of: str = ""
    other: str = ""
    receipt: str = ""
    entry: str = ""
    open: int = 0

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


class ShownRow(NamedTuple):
    """A row that people read, and the balance after it, in cents.

    If there is a `taker`, a credit on the posting's invoice was used for the taker's invoice, or no longer is.
    """

    posting: Posting
    balance: int
    taker: Posting | None = None


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


def shown_rows(rows: Iterable[StatementRow]) -> list[ShownRow]:
    """Show a credit carried between two of the tenant's invoices once: their sum stays.

    The same applies if the carry was taken back. A carry from or to an invoice that is not in the statement stays a row
    with an amount.

    >>> given = Posting("2026-03-20", CARRY, "inv_1", "A-1-2026-02", 5_00, other="A-1-2026-03", entry="pay_1")
    >>> taken = given._replace(invoice_id="inv_2", number="A-1-2026-03", amount=-5_00, other="A-1-2026-02")
    >>> [(row.posting.number, row.taker.number) for row in shown_rows(statement(0, [given, taken]).rows)]
    [('A-1-2026-02', 'A-1-2026-03')]
    """
    shown = list[ShownRow]()
    for posting, balance in rows:
        if shown and posting.entry and posting.entry == shown[-1].posting.entry:
            both = shown.pop().posting, posting
            giver, taker = sorted(both, key=lambda one: one.amount, reverse=posting.kind == CARRY)
            shown.append(ShownRow(giver, balance, taker))
        else:
            shown.append(ShownRow(posting, balance))
    return shown


def _order(posting: Posting) -> tuple[str, bool, bool, str]:
    is_invoice = posting.kind == INVOICE
    return posting.day, not is_invoice, posting.kind == MARKED_PAID, posting.number if is_invoice else ""


def last_year(today: date) -> date:
    """Return the default start of a statement: the first day of this month last year.

    >>> last_year(date(2024, 2, 29)).isoformat()
    '2023-02-01'
    """
    return date(today.year - 1, today.month, 1)
