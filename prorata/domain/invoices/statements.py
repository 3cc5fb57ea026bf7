"""A tenant's statement: what was invoiced and what came, by days, with the balance after each.

The balance is what the tenant owes, in cents; below zero it is a credit.
"""

from collections.abc import Iterable, Sequence
from typing import Final, Literal, NamedTuple

from prorata.domain.invoices.ledger import REFUND, REVERSAL, Entry

StatementKind = Literal["INVOICE", "PAYMENT", "REFUND", "REVERSAL", "CARRY", "MARKED_PAID"]
INVOICE: Final = "INVOICE"
MARKED_PAID: Final = "MARKED_PAID"


class Posting(NamedTuple):
    """Something that changes what a tenant owes, by `amount` cents, on a `day` (YYYY-MM-DD), of an invoice."""

    day: str
    kind: str
    invoice_id: str
    number: str
    amount: int


class StatementRow(NamedTuple):
    """A posting, and the balance after it, in cents."""

    posting: Posting
    balance: int


class Statement(NamedTuple):
    """What a tenant owed at first, what changed it, and what the tenant owes in the end, in cents."""

    opening: int
    rows: tuple[StatementRow, ...]
    closing: int


def of_entries(invoice_id: str, number: str, entries: Sequence[tuple[str, Entry]]) -> list[Posting]:
    """The postings of a ledger, whose entries come with their days: money received makes the tenant owe less.

    >>> paid, back = Entry("pay_1", "PAYMENT", 40_00, ""), Entry("pay_2", "REVERSAL", 40_00, "", "pay_1")
    >>> [one.amount for one in of_entries("inv_1", "A-1-2026-03", [("2026-03-01", paid), ("2026-03-09", back)])]
    [-4000, 4000]
    """
    effects = {one.id: one.amount if one.kind == REFUND else -one.amount for _, one in entries if one.kind != REVERSAL}
    return [
        Posting(day, one.kind, invoice_id, number, -effects[one.reverses] if one.reverses else effects[one.id])
        for day, one in entries
    ]


def statement(postings: Iterable[Posting], first: str | None, last: str | None) -> Statement:
    """The statement of some days, both counted; None is from the beginning, or without an end. It sums: the opening
    balance and all amounts make the closing one.

    >>> asked = Posting("2026-03-02", INVOICE, "inv_1", "A-1-2026-02", 50_00)
    >>> came = Posting("2026-03-20", "PAYMENT", "inv_1", "A-1-2026-02", -60_00)
    >>> found = statement([came, asked], "2026-03-05", None)
    >>> found.opening, [row.balance for row in found.rows], found.closing
    (5000, [-1000], -1000)
    """
    opening, rows = 0, list[StatementRow]()
    balance = 0
    for one in sorted(postings, key=lambda posting: (posting.day, posting.kind != INVOICE, posting.number)):
        if last is not None and one.day > last:
            break
        balance += one.amount
        if first is not None and one.day < first:
            opening = balance
        else:
            rows.append(StatementRow(one, balance))
    return Statement(opening, tuple(rows), balance)
