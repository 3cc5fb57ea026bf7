"""What the rows of a bank's file are held against: the invoices that they may be for, and the payments that ledgers
have already, of which a row may be one.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from prorata.domain.groups import grouped
from prorata.domain.invoice_states import UNPAID
from prorata.domain.limits import LONGEST_PAYMENT_REFERENCE
from prorata.domain.payments.files import BankRow
from prorata.domain.search_terms import folded

NEAR = timedelta(days=7)
"""How far apart the days are of one payment, as a bank tells it and as somebody has entered it by hand."""
_WORD = re.compile(r"[^\W_]+")
_PARTS_OF_MARK = 3


class KnownInvoice(NamedTuple):
    """An invoice that a payment may be for; amounts in cents, `noted` is what marking it as paid noted."""

    id: str
    number: str
    month: str
    status: str
    total: int
    paid_amount: int
    noted: int
    tenant_name: str | None
    unit_label: str
    property_name: str
    currency: str
    due_date: str | None
    tenant_id: str | None = None
    invoice_date: str | None = None

    @property
    def person(self) -> str:
        """Whose it is: two tenants of one name are two."""
        return self.tenant_id or folded(self.tenant_name or "")

    @property
    def balance(self) -> int:
        """What is left to pay."""
        return self.total - self.paid_amount

    @property
    def was_marked(self) -> bool:
        """Whether it was marked as paid, and no money has come since that says when and how."""
        return self.noted > 0

    @property
    def is_open(self) -> bool:
        """Whether it waits for money."""
        return self.status in UNPAID and self.balance > 0

    def was_sent_after(self, day: date) -> bool:
        """Whether it has a later date than money of this day, which is hardly for it unless it says so."""
        return self.invoice_date is not None and day.isoformat() < self.invoice_date


class Part(NamedTuple):
    """What of a payment is for an invoice, in cents; with `in_place_of_noted` it is what marking as paid noted."""

    invoice: KnownInvoice
    cents: int
    in_place_of_noted: bool = False


Candidate = tuple[Part, ...]
"""The invoices that a payment may be for together: mostly one."""


class EarlierEntry(NamedTuple):
    """A payment that a ledger has already, in cents, on a `day` as ISO writes it, with the bank's reference; `source`
    is the mark of the file's row that it was entered from, None where a person entered it. The rest is its note, and of
    the invoice that it paid the currency and whose it is.
    """

    id: str
    number: str
    cents: int
    day: str
    reference: str | None
    source: str | None
    note: str | None
    currency: str
    tenant_name: str | None
    tenant_id: str | None

    @property
    def person(self) -> str:
        """Whose invoice it paid, as `KnownInvoice` says it."""
        return self.tenant_id or folded(self.tenant_name or "")

    @property
    def row_mark(self) -> str:
        """What the entries of one row have in common: it may have paid several invoices."""
        return ":".join(self.source.split(":")[:_PARTS_OF_MARK]) if self.source else self.id

    def may_be_of(self, invoice: KnownInvoice) -> bool:
        """Whether it was for this invoice, for another of its tenant's, or names that tenant."""
        names = words_of(invoice.tenant_name or "")
        is_named = bool(names) and names <= words_of(f"{self.note or ''} {self.reference or ''}")
        return self.number == invoice.number or bool(self.person and self.person == invoice.person) or is_named


class Alike(NamedTuple):
    """Entries that rows may be which have their amount: those from other files by day, by the cents of all that was
    entered from their row, and by currency; those by hand by cents, currency, and each by its invoice's number and by
    whose that is. Where it is not `is_whole`, there are more than were looked at.
    """

    from_files: Mapping[tuple[str, int, str], Sequence[EarlierEntry]]
    by_hand: Mapping[tuple[int, str, str], Sequence[EarlierEntry]]
    is_whole: bool = True

    def read_otherwise(self, row: BankRow, invoices: Iterable[KnownInvoice]) -> list[EarlierEntry]:
        """The entries of the row's day that may be it, read otherwise, where it is for these invoices."""
        same_day = self.from_files.get((row.day.isoformat(), row.cents, row.currency), ())
        return [one for one in same_day if any(one.may_be_of(invoice) for invoice in invoices)]

    def entered_by_hand(self, row: BankRow, invoices: Iterable[KnownInvoice]) -> list[EarlierEntry]:
        """The entries that somebody made for these invoices, or others of their tenants, about the row's day."""
        first, last = (row.day - NEAR).isoformat(), (row.day + NEAR).isoformat()
        found = {
            one.id: one
            for invoice in invoices
            for whose in (invoice.number, invoice.person)
            for one in self.by_hand.get((row.cents, row.currency, whose), ())
            if first <= one.day <= last
        }
        return list(found.values())


Told = Mapping[str, Sequence[EarlierEntry]]
"""Entries that rows may be, by the marks of these."""


def bank_reference(row: BankRow) -> str:
    """The reference by which a row may be known though its words differ, as it stands in a ledger; empty where it tells
    nothing: without a digit it is no number of the bank's.
    """
    found = row.reference[:LONGEST_PAYMENT_REFERENCE]
    return found if any(one.isdigit() for one in found) else ""


def told_before(rows: Iterable[BankRow], entries: Iterable[EarlierEntry], own: Collection[str]) -> Told:
    """The rows that have the day, the amount and the reference of a payment that was entered from elsewhere, by their
    marks, with its entries. `own` are the marks of all rows of the file: what was entered from one is that row's.
    """
    parts = grouped(((one.reference or "", one.day, one.row_mark), one) for one in entries if one.row_mark not in own)
    known: dict[tuple[str, str, int], list[EarlierEntry]] = defaultdict(list)
    for (reference, day, _), some in parts.items():
        known[reference, day, sum(one.cents for one in some)] += some
    found = ((row, known.get((bank_reference(row), row.day.isoformat(), row.cents))) for row in rows)
    return {row.source: tuple(its) for row, its in found if its}


def entered_alike(entries: Iterable[EarlierEntry], own: Collection[str], *, is_whole: bool = True) -> Alike:
    """The entries that were made by hand, and those from rows of files, but from none that is marked `own`: what has
    the day and the amount of one, and is for the same tenant, may be that row with its columns read otherwise.
    """
    parts: dict[str, list[EarlierEntry]] = defaultdict(list)
    by_hand: dict[tuple[int, str, str], list[EarlierEntry]] = defaultdict(list)
    for one in entries:
        if one.source is None:
            for whose in filter(None, (one.number, one.person)):
                by_hand[one.cents, one.currency, whose].append(one)
        elif one.row_mark not in own:
            parts[one.row_mark].append(one)
    from_files: dict[tuple[str, int, str], list[EarlierEntry]] = defaultdict(list)
    for some in parts.values():
        from_files[some[0].day, sum(one.cents for one in some), some[0].currency] += some
    return Alike(from_files, by_hand, is_whole)


def days_about(days: Iterable[date]) -> list[str]:
    """These days as ISO writes them, and those so near that what was entered on them by hand may be of these.

    >>> days_about([date(2026, 3, 8), date(2026, 3, 9)])[::15]
    ['2026-03-01', '2026-03-16']
    """
    offsets = [timedelta(days=at) for at in range(-NEAR.days, NEAR.days + 1)]
    return sorted({(day + offset).isoformat() for day in days for offset in offsets})


def words_of(text: str) -> frozenset[str]:
    """The words of a text, without initials: banks leave them out."""
    return frozenset(word for word in _WORD.findall(folded(text)) if len(word) > 1 or word.isdigit())
