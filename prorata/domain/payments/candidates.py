"""Candidates for a bank file's rows: invoices to pay, and payments already in ledgers."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from prorata.domain.groups import grouped
from prorata.domain.invoice_states import UNPAID
from prorata.domain.limits import LONGEST_PAYMENT_REFERENCE, MOST_PAYMENT_CANDIDATES
from prorata.domain.payments.files import BankRow
from prorata.domain.search_terms import folded

NEAR = timedelta(days=7)
"""The maximum time between the bank's and the manually entered date of a payment."""
_WORD = re.compile(r"[^\W_]+")
_PARTS_OF_MARK = 3
_BEHIND_A_NAME = frozenset(["jr", "sr", "ii", "iii", "llc", "inc", "ltd", "gmbh"])


class KnownInvoice(NamedTuple):
    """An invoice that a payment may be for; amounts are in cents.

    `noted` is the amount that was recorded when somebody marked the invoice as paid.
    """

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
        """The key of the invoice's tenant; two tenants with the same name are distinct."""
        return self.tenant_id or folded(self.tenant_name or "")

    @property
    def balance(self) -> int:
        """The amount left to pay on the invoice, in cents."""
        return self.total - self.paid_amount

    @property
    def was_marked(self) -> bool:
        """True if the invoice was marked as paid, and no payment has replaced that amount."""
        return self.noted > 0

    @property
    def is_open(self) -> bool:
        """True if the invoice was sent and still has an amount left to pay."""
        return self.status in UNPAID and self.balance > 0

    def was_sent_after(self, day: date) -> bool:
        """True if the invoice is dated after the day of a payment.

        The payment is then probably for another invoice, unless the payer names this one.
        """
        return self.invoice_date is not None and day.isoformat() < self.invoice_date


class Part(NamedTuple):
    """The cents of a payment that go to one invoice.

    If `in_place_of_noted` is set, these cents replace the amount that was recorded when somebody marked the
    invoice as paid.
    """

    invoice: KnownInvoice
    cents: int
    in_place_of_noted: bool = False


Candidate = tuple[Part, ...]
"""The invoices that one payment may be for together; usually a single invoice."""


class EarlierEntry(NamedTuple):
    """A payment already in a ledger, in cents, with its day and the bank's reference.

    `day` is in ISO form. `source` identifies the row of the bank file from which the payment was entered; it is
    None if a person entered the payment. `number`, `currency` and the tenant are those of the paid invoice.
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
        """The key of the paid invoice's tenant, formed as in `KnownInvoice`."""
        return self.tenant_id or folded(self.tenant_name or "")

    @property
    def row_mark(self) -> str:
        """The common identifier of all entries from one row, which may pay several invoices."""
        return ":".join(self.source.split(":")[:_PARTS_OF_MARK]) if self.source else self.id

    def is_named_in(self, row: BankRow) -> bool:
        """True if a bank row names the tenant or the number of the paid invoice."""
        text = f"{row.name} {row.text} {row.reference}"
        return self.number in text.upper() or is_named(self.tenant_name, text)

    def may_be_of(self, invoice: KnownInvoice) -> bool:
        """True if the entry may belong to an invoice.

        The entry paid this invoice or another one of the same tenant, or it names the tenant.
        """
        if self.number == invoice.number or (self.person and self.person == invoice.person):
            return True
        return is_named(invoice.tenant_name, f"{self.note or ''} {self.reference or ''}")


class Alike(NamedTuple):
    """Ledger entries that may be the same payment as a row of a bank file.

    `from_files` has the entries from other files. Its key is the day, the cents of all entries from one row, and
    the currency. `by_hand` has the entries that a person made. Its key is the cents, the currency, and an
    invoice's number, a tenant or "" (for all entries). If `is_whole` is false, only some of the ledger's entries
    were examined.
    """

    from_files: Mapping[tuple[str, int, str], Sequence[EarlierEntry]]
    by_hand: Mapping[tuple[int, str, str], Sequence[EarlierEntry]]
    is_whole: bool = True

    def read_otherwise(self, row: BankRow, invoices: Iterable[KnownInvoice]) -> list[EarlierEntry]:
        """Find entries from other files that may come from this row and fit an invoice.

        The row was then read differently before, for example with another meaning of its columns.
        """
        same_day = self.from_files.get((row.day.isoformat(), row.cents, row.currency), ())
        return [
            earlier_entry for earlier_entry in same_day if any(earlier_entry.may_be_of(invoice) for invoice in invoices)
        ]

    def entered_by_hand(self, row: BankRow, invoices: Iterable[KnownInvoice]) -> list[EarlierEntry]:
        """Find the manual entries for these invoices or their tenants, near the row's day."""
        whose = [key for invoice in invoices for key in (invoice.number, invoice.person)]
        return list({entry.id: entry for key in whose for entry in self._near(row, key)}.values())

    def named_by_hand(self, row: BankRow, *, or_only: bool) -> list[EarlierEntry]:
        """Find the manual entries near the row's day whose tenant or invoice the row names.

        If the row names none of them, and `or_only` is set, an entry is also found if it is the only one near the
        row's day.
        """
        near = self._near(row, "")
        named = [entry for entry in near if entry.is_named_in(row)]
        return named or (near if or_only and len(near) == 1 else [])

    def _near(self, row: BankRow, whose: str) -> list[EarlierEntry]:
        first, last = (row.day - NEAR).isoformat(), (row.day + NEAR).isoformat()
        return [entry for entry in self.by_hand.get((row.cents, row.currency, whose), ()) if first <= entry.day <= last]


Told = Mapping[str, Sequence[EarlierEntry]]
"""The ledger entries that may already record a row's payment, by the row's mark."""


def bank_reference(row: BankRow) -> str:
    """Return the bank's reference in a row, as ledgers store it; "" without a digit.

    A reference without a digit is not a number that the bank assigned. The reference can identify a row even if
    the row's words differ from an earlier file's.
    """
    reference = row.reference[:LONGEST_PAYMENT_REFERENCE]
    return reference if any(character.isdigit() for character in reference) else ""


def told_before(rows: Iterable[BankRow], entries: Iterable[EarlierEntry], own: Collection[str]) -> Told:
    """Find rows whose payments were entered before, by day, amount and reference.

    The result maps the identifier (`source`) of each such row to the entries. `own` are the identifiers of all
    rows of the file; entries from these rows don't count.
    """
    parts = grouped(
        ((entry.reference or "", entry.day, entry.row_mark), entry) for entry in entries if entry.row_mark not in own
    )
    known: dict[tuple[str, str, int], list[EarlierEntry]] = defaultdict(list)
    for (reference, day, _), some in parts.items():
        known[reference, day, sum(earlier_entry.cents for earlier_entry in some)] += some
    rows_told = ((row, known.get((bank_reference(row), row.day.isoformat(), row.cents))) for row in rows)
    return {row.source: tuple(its) for row, its in rows_told if its}


def entered_alike(entries: Iterable[EarlierEntry], own: Collection[str], *, is_whole: bool = True) -> Alike:
    """Index earlier ledger entries, to find rows that may repeat them.

    Entries from the file itself, whose identifiers are in `own`, are left out. `is_whole` means that all earlier
    entries are given. A row with the tenant, day and amount of an entry may be the row from which the entry was
    made, read with other meanings of its columns.
    """
    parts: dict[str, list[EarlierEntry]] = defaultdict(list)
    by_hand: dict[tuple[int, str, str], list[EarlierEntry]] = defaultdict(list)
    for entry in entries:
        if entry.source is None:
            for whose in {entry.number, entry.person, ""}:
                by_hand[entry.cents, entry.currency, whose].append(entry)
        elif entry.row_mark not in own:
            parts[entry.row_mark].append(entry)
    from_files: dict[tuple[str, int, str], list[EarlierEntry]] = defaultdict(list)
    for some in parts.values():
        from_files[some[0].day, sum(earlier_entry.cents for earlier_entry in some), some[0].currency] += some
    return Alike(from_files, by_hand, is_whole)


def days_about(days: Iterable[date]) -> list[str]:
    """Return these days and all days within a week of them, in ISO form.

    Manual entries are searched on these days. The example shows the first and the last.

    >>> days_about([date(2026, 3, 8), date(2026, 3, 9)])[::15]
    ['2026-03-01', '2026-03-16']
    """
    offsets = [timedelta(days=at) for at in range(-NEAR.days, NEAR.days + 1)]
    return sorted({(day + offset).isoformat() for day in days for offset in offsets})


def words_of(text: str) -> frozenset[str]:
    """Return the words of a text without initials, which banks leave out."""
    return frozenset(word for word in _WORD.findall(folded(text)) if len(word) > 1 or word.isdigit())


def is_named(name: str | None, text: str) -> bool:
    """True if a text contains all words of a tenant's name."""
    words = words_of(name or "")
    return bool(words) and words <= words_of(text)


def surname_of(name: str) -> str:
    """Find the surname in a tenant's name, in the form of `words_of`.

    The surname is the last word, or the last word before a comma. The result is empty if the name has no surname.

    >>> surname_of("Ann B. Smith"), surname_of("Smith, Ann"), surname_of("Bob Smith Jr."), surname_of("Ann & Bo Núñez")
    ('smith', 'smith', 'smith', 'nunez')
    """
    before, comma, _ = name.partition(",")
    words = [word for word in _WORD.findall(folded(before if comma else name)) if word not in _BEHIND_A_NAME]
    return words[-1] if words and len(words[-1]) > 1 else ""


def each_of(invoices: Sequence[KnownInvoice], cents: int) -> tuple[Candidate, ...]:
    """Propose each of these invoices as the one that the whole payment is for.

    For an invoice marked as paid there are two proposals: the payment replaces the recorded amount, or is a
    further payment.
    """
    ways = [
        (Part(one, cents, is_noted),)
        for one in invoices
        for is_noted in ((True, False) if one.was_marked else (False,))
    ]
    return tuple(ways[:MOST_PAYMENT_CANDIDATES])
