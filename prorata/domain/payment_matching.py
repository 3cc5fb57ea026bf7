"""Which invoice a payment of a bank's file is for: told by the invoice's number in its text, by the tenant's name, by
the amount. What is not plain is proposed with its reason, and a person chooses; nothing is guessed.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from prorata.domain.ledger import LONGEST_REFERENCE
from prorata.domain.lifecycle import CANCELLED, DRAFT, PAID, UNPAID
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.payment_files import BankRow
from prorata.domain.searching import folded

Verdict = Literal["matched", "proposed", "unmatched"]
MATCHED: Verdict = "matched"
PROPOSED: Verdict = "proposed"
UNMATCHED: Verdict = "unmatched"
MOST_CANDIDATES = 8
FEWEST_WORDS = 2
"""Of a name that tells whose a payment is without a number: one word may be anybody's."""
_NUMBER = re.compile(r"(?<![A-Z0-9])[A-Z0-9]+-[A-Z0-9]+-[0-9]{4}-[0-9]{2}(?![0-9])")
_MONTH = re.compile(r"(?=((?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])))")
_LETTERS = re.compile(r"[A-Z0-9]")
_WORD = re.compile(r"[^\W_]+")
_MONTH_DIGITS = 6
_PARTS_OF_MARK = 3
_WORDED_OTHERWISE = "the day, the amount and the reference of a payment", "in other words"
_READ_OTHERWISE = "the day and the amount of a payment from a file", "in another layout"


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

    @property
    def person(self) -> str:
        """Whose it is: two tenants of one name are two."""
        return self.tenant_id or folded(self.tenant_name or "")

    @property
    def balance(self) -> int:
        """What is left to pay."""
        return self.total - self.paid_amount

    @property
    def is_open(self) -> bool:
        """Whether it waits for money."""
        return self.status in UNPAID and self.balance > 0


class Part(NamedTuple):
    """What of a payment is for an invoice, in cents; with `in_place_of_noted` it is what marking as paid noted."""

    invoice: KnownInvoice
    cents: int
    in_place_of_noted: bool = False


Candidate = tuple[Part, ...]
"""The invoices that a payment may be for together: mostly one."""


class Match(NamedTuple):
    """What a row is for: plain where it is matched, with the one candidate; else a person chooses one, or none. It may
    be `same_as` these entries of ledgers, which are there already.
    """

    row: BankRow
    verdict: Verdict
    reason: str
    candidates: tuple[Candidate, ...] = ()
    same_as: tuple["EarlierEntry", ...] = ()


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
    def row_mark(self) -> str:
        """What the entries of one row have in common: it may have paid several invoices."""
        return ":".join(self.source.split(":")[:_PARTS_OF_MARK]) if self.source else self.id

    def may_be_of(self, invoice: KnownInvoice) -> bool:
        """Whether it was for this invoice, for another of its tenant's, or names that tenant."""
        person = self.tenant_id or folded(self.tenant_name or "")
        names = _words(invoice.tenant_name or "")
        is_named = bool(names) and names <= _words(f"{self.note or ''} {self.reference or ''}")
        return self.number == invoice.number or bool(person and person == invoice.person) or is_named


Alike = Mapping[tuple[str, int, str], Sequence[EarlierEntry]]
"""Entries from files by day, by the cents of all that was entered from their row, and by currency."""
Told = Mapping[str, Sequence[EarlierEntry]]
"""Entries that rows may be, by the marks of these."""


def bank_reference(row: BankRow) -> str:
    """The reference by which a row may be known though its words differ, as it stands in a ledger; empty where it tells
    nothing: without a digit it is no number of the bank's.
    """
    found = row.reference[:LONGEST_REFERENCE]
    return found if any(one.isdigit() for one in found) else ""


def told_before(rows: Iterable[BankRow], entries: Iterable[EarlierEntry], own: Collection[str]) -> Told:
    """The rows that have the day, the amount and the reference of a payment that was entered from elsewhere, by their
    marks, with its entries. `own` are the marks of all rows of the file: what was entered from one is that row's.
    """
    parts: dict[tuple[str, str, str], list[EarlierEntry]] = defaultdict(list)
    for one in entries:
        if one.row_mark not in own:
            parts[one.reference or "", one.day, one.row_mark].append(one)
    known: dict[tuple[str, str, int], list[EarlierEntry]] = defaultdict(list)
    for (reference, day, _), some in parts.items():
        known[reference, day, sum(one.cents for one in some)] += some
    found = ((row, known.get((bank_reference(row), row.day.isoformat(), row.cents))) for row in rows)
    return {row.source: tuple(its) for row, its in found if its}


def entered_alike(entries: Iterable[EarlierEntry], own: Collection[str]) -> Alike:
    """The entries that were made from rows of files, but from none that is marked `own`: what has the day and the
    amount of one, and is for the same tenant, may be that row with its columns read otherwise.
    """
    parts: dict[str, list[EarlierEntry]] = defaultdict(list)
    for one in entries:
        if one.source and one.row_mark not in own:
            parts[one.row_mark].append(one)
    found: dict[tuple[str, int, str], list[EarlierEntry]] = defaultdict(list)
    for some in parts.values():
        found[some[0].day, sum(one.cents for one in some), some[0].currency] += some
    return found


def numbers_named(texts: Iterable[str]) -> set[str]:
    """The numbers of invoices in these texts, where they are written as on the invoice.

    >>> sorted(numbers_named(["for maple-1-2026-02", "MAPLE 1 2026 03"]))
    ['MAPLE-1-2026-02']
    """
    return {number for text in texts for number in _NUMBER.findall(text.upper())}


def months_named(texts: Iterable[str]) -> set[str]:
    """The months that numbers of invoices in these texts may be of.

    >>> sorted(months_named(["MAPLE-1-2026-02, 2026 03"]))
    ['2026-02', '2026-03']
    """
    found = set()
    for text in texts:
        for month in _MONTH.findall(_squeezed(text.upper())):
            found.add(f"{month[:4]}-{month[4:]}")
    return found


class Books:
    """The invoices that payments may be for. What one row pays is no longer open for the next. Where they are not all
    that there are (`is_whole`), only a number as it is written on an invoice is plain.
    """

    def __init__(self, invoices: Iterable[KnownInvoice], write: Forms = PLAIN, *, is_whole: bool = True) -> None:
        self.write = write
        self.is_whole = is_whole
        self.by_number: dict[str, list[KnownInvoice]] = defaultdict(list)
        self.squeezed: dict[str, list[KnownInvoice]] = defaultdict(list)
        self.by_word: dict[str, list[KnownInvoice]] = defaultdict(list)
        self.by_balance: dict[tuple[str, int], list[KnownInvoice]] = defaultdict(list)
        self.paid: dict[str, int] = defaultdict(int)
        for one in invoices:
            self.by_number[one.number].append(one)
            self.squeezed[_squeezed(one.number)].append(one)
            if one.is_open:
                self.by_balance[one.currency, one.balance].append(one)
                if words := _words(one.tenant_name or ""):
                    self.by_word[max(words, key=len)].append(one)
        self.lengths = sorted({len(number) for number in self.squeezed}, reverse=True)

    def match(self, row: BankRow, told: Sequence[EarlierEntry] = (), alike: Sequence[EarlierEntry] = ()) -> Match:
        """What a row is for, as things stand after the rows before it. One that may be a payment which was recorded
        before, as the entries `told` or one of those `alike`, is never plain.
        """
        found = self._found(row)
        if told:
            return _asked(found, PROPOSED if found.candidates else UNMATCHED, told, _WORDED_OTHERWISE)
        if found.verdict == MATCHED:
            parts = found.candidates[0]
            same = [one for one in alike if any(one.may_be_of(part.invoice) for part in parts)]
            if same:
                return _asked(found, PROPOSED, same, _READ_OTHERWISE)
            for part in parts:
                self.paid[part.invoice.id] += part.cents
        return found

    def _found(self, row: BankRow) -> Match:
        every, is_plain = self._named(_all_of(row))
        named = [one for one in every if one.currency == row.currency]
        if named and not is_plain:
            says = f"The text may name {_or(one.number for one in named)}."
            return Match(row, PROPOSED, says, tuple((Part(one, row.cents),) for one in named[:MOST_CANDIDATES]))
        return self._by_number(row, named) if named else self._by_name(row) or self._by_amount(row)

    # --- numbers

    def is_named_in(self, row: BankRow) -> bool:
        """Whether a row names an invoice by its number."""
        return bool(self._named(_all_of(row))[0])

    def _named(self, text: str) -> tuple[list[KnownInvoice], bool]:
        """The invoices whose numbers stand in a text, and whether that is plain: without what stands between its parts,
        a number may be that of several.
        """
        upper = text.upper()
        exact = [one for number in _NUMBER.findall(upper) for one in self.by_number.get(number, ())]
        if exact:
            return list(dict.fromkeys(exact)), True
        places = [place.start() for place in _LETTERS.finditer(upper)]
        letters = "".join(upper[place] for place in places)
        found = [self._ending_at(upper, places, letters, month.start() + _MONTH_DIGITS)
                 for month in _MONTH.finditer(letters)]  # fmt: skip
        is_plain = self.is_whole and all(len(some) <= 1 for some in found)
        return list(dict.fromkeys(one for some in found for one in some)), is_plain

    def _ending_at(self, text: str, places: list[int], letters: str, end: int) -> list[KnownInvoice]:
        """The invoices of the longest number that ends there and begins where a word does."""
        after = text[places[end - 1] + 1 :][:1]
        for length in self.lengths if not after.isdigit() else ():
            begin = end - length
            if begin >= 0 and (known := self.squeezed.get(letters[begin:end])) and _begins_word(text, places[begin]):
                return known
        return []

    def _by_number(self, row: BankRow, named: list[KnownInvoice]) -> Match:
        if len(named) > 1:
            return self._by_numbers(row, named)
        (one,) = named
        left = self._left(one)
        whole = ((Part(one, row.cents),),)
        if one.status in UNPAID and left > 0:
            if row.cents == left:
                return Match(
                    row, MATCHED, f"The text names {one.number}, and the amount is what is left to pay.", whole
                )
            if row.cents < left:
                says = f"The text names {one.number}. It pays a part: {self._money(left, one)} were left to pay."
                return Match(row, MATCHED, says, whole)
            too_much = self._money(row.cents - left, one)
            says = f"The text names {one.number}. It is {too_much} more than is left to pay, which would be a credit."
            return Match(row, PROPOSED, says, whole)
        if one.status == PAID and one.noted >= row.cents:
            says = f"The text names {one.number}, which was marked as paid. This then says when and how."
            return Match(row, PROPOSED, says, ((Part(one, row.cents, in_place_of_noted=True),),))
        return Match(row, PROPOSED, f"The text names {one.number}, {_why_not(one)}.", whole)

    def _by_numbers(self, row: BankRow, named: list[KnownInvoice]) -> Match:
        numbers = ", ".join(one.number for one in named)
        parts = tuple(Part(one, self._left(one)) for one in named if one.status in UNPAID and self._left(one) > 0)
        if len(parts) == len(named) and sum(part.cents for part in parts) == row.cents:
            says = f"The text names {numbers}, and the amount is what is left to pay of them together."
            return Match(row, MATCHED, says, (parts,))
        says = f"The text names {numbers}, which come to another amount together."
        return Match(row, PROPOSED, says, tuple((Part(one, row.cents),) for one in named[:MOST_CANDIDATES]))

    # --- names and amounts

    def _by_name(self, row: BankRow) -> Match | None:
        words = _words(f"{row.name} {row.text}")
        known = {
            one.id: one
            for word in words
            for one in self.by_word.get(word, ())
            if one.currency == row.currency and self._left(one) > 0 and words >= _words(one.tenant_name or "")
        }
        if not known:
            return None
        found = sorted(known.values(), key=lambda one: (one.due_date or "", one.number))
        people = {one.person for one in found}
        exact = [one for one in found if self._left(one) == row.cents]
        name = found[0].tenant_name or ""
        if len(exact) == 1 and len(people) == 1 and len(_words(name)) >= FEWEST_WORDS:
            says = f"It names {name}, and the amount is what is left to pay of {exact[0].number} alone"
            verdict, end = (MATCHED, ".") if self.is_whole else (PROPOSED, ", of the invoices that were looked at.")
            return Match(row, verdict, says + end, ((Part(exact[0], row.cents),),))
        single = tuple((Part(one, row.cents),) for one in (exact or found)[:MOST_CANDIDATES])
        together = tuple(Part(one, self._left(one)) for one in found)
        if len(people) == 1 and len(found) > 1 and sum(part.cents for part in together) == row.cents:
            says = f"It names {name}, and the amount is what is left to pay of {len(found)} invoices together."
            return Match(row, PROPOSED, says, (together, *single))
        if len(people) > 1:
            return Match(row, PROPOSED, f"It may be of {_who(found)}.", single)
        says = (
            "and the amount fits several invoices" if exact else "and the amount is that of none of the open invoices"
        )
        return Match(row, PROPOSED, f"It names {name}, {says}.", single)

    def _by_amount(self, row: BankRow) -> Match:
        found = [one for one in self.by_balance.get((row.currency, row.cents), ()) if self._left(one) == row.cents]
        if not found:
            return Match(row, UNMATCHED, "Neither a number nor a name nor the amount is that of an open invoice.")
        says = "one open invoice" if len(found) == 1 else f"{len(found)} open invoices"
        parts = tuple((Part(one, row.cents),) for one in found[:MOST_CANDIDATES])
        return Match(row, PROPOSED, f"Only the amount is that of {says}; no number or name says more.", parts)

    def _left(self, one: KnownInvoice) -> int:
        """What is left to pay of an invoice after the rows before."""
        return one.balance - self.paid[one.id]

    def _money(self, cents: int, one: KnownInvoice) -> str:
        return self.write.money(cents, one.currency)


def match_all(
    rows: Sequence[BankRow], books: Books, told: Told | None = None, alike: Alike | None = None
) -> list[Match]:
    """What each row is for, in the order of the file. Those whose text names an invoice are looked at first, so that a
    payment without a number is not taken for what another one names. `told` is what `told_before` found, `alike`
    what `entered_alike` did.
    """
    told, alike = told or {}, alike or {}
    in_turn = sorted(rows, key=lambda row: (not books.is_named_in(row), row.line))
    found = {
        row.source: books.match(
            row, told.get(row.source, ()), alike.get((row.day.isoformat(), row.cents, row.currency), ())
        )
        for row in in_turn
    }
    return [found[row.source] for row in rows]


def _asked(found: Match, verdict: Verdict, same: Sequence[EarlierEntry], by: tuple[str, str]) -> Match:
    """A row of which is asked whether it is a payment that was recorded before."""
    names = ", ".join(dict.fromkeys(one.number for one in same))
    says = f"It has {by[0]} that was recorded for {names}. If it is the same one {by[1]}, say so or leave it; "
    reason = says + "name its invoice only if it is another payment."
    return found._replace(verdict=verdict, reason=reason, same_as=tuple(same))


def _why_not(one: KnownInvoice) -> str:
    if one.status == DRAFT:
        return "which is a draft: the money counts once it is sent"
    if one.status == CANCELLED:
        return "which is cancelled: the money would have to be refunded"
    return "which nothing is left to pay of: it would be a credit"


def _all_of(row: BankRow) -> str:
    return f"{row.name} {row.text} {row.reference}"


def _squeezed(text: str) -> str:
    return "".join(_LETTERS.findall(text))


def _begins_word(text: str, place: int) -> bool:
    return place == 0 or not text[place - 1].isalnum()


def _words(text: str) -> frozenset[str]:
    """The words of a text, without initials: banks leave them out."""
    return frozenset(word for word in _WORD.findall(folded(text)) if len(word) > 1 or word.isdigit())


def _who(found: Sequence[KnownInvoice]) -> str:
    """Who tenants are; those who share a name by where they live."""
    if len({folded(one.tenant_name or "") for one in found}) > 1:
        return _or(one.tenant_name or "" for one in found)
    return _or(f"{one.tenant_name} in {one.property_name}, {one.unit_label}" for one in found)


def _or(names: Iterable[str]) -> str:
    return " or ".join(list(dict.fromkeys(names))[:MOST_CANDIDATES])
