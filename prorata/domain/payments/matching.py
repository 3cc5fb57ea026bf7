"""Matching bank payments to invoices by number, tenant name and amount.

Uncertain matches are proposed with a reason, and a person chooses; nothing is guessed.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple

from prorata.domain.groups import grouped
from prorata.domain.limits import MOST_PAYMENT_CANDIDATES
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.payments.candidates import (
    Alike,
    Candidate,
    EarlierEntry,
    KnownInvoice,
    Part,
    Told,
    each_of,
    is_named,
    surname_of,
    words_of,
)
from prorata.domain.payments.files import BankRow
from prorata.domain.payments.match_words import (
    BY_HAND,
    NOT_ALL_ALIKE,
    READ_OTHERWISE,
    WORDED_OTHERWISE,
    any_of,
    names_a_surname,
    pays_a_part,
    pays_together,
    pays_too_much,
    who,
    why_not,
)
from prorata.domain.payments.named_numbers import LETTERS, MONTH, MONTH_DIGITS, NUMBER, squeezed
from prorata.domain.texts import Text, joined, say, say_n

Verdict = Literal["matched", "proposed", "unmatched"]
MATCHED: Verdict = "matched"
PROPOSED: Verdict = "proposed"
UNMATCHED: Verdict = "unmatched"
FEWEST_WORDS = 2
"""The minimum number of words in a name that identifies a payer by itself."""
_NONE_ALIKE = Alike({}, {})
_NONE_EARLIER: Mapping[str, str] = MappingProxyType({})


class Match(NamedTuple):
    """The match of a row: either certain, with one candidate, or left to a person.

    The candidates are ways to pay invoices. `same_as` are the ledger entries in which the payment may already be
    recorded.
    """

    row: BankRow
    verdict: Verdict
    reason: str
    candidates: tuple[Candidate, ...] = ()
    same_as: tuple[EarlierEntry, ...] = ()


class Books:
    """The invoices that payments may be for; each match reduces the amount left to pay.

    If `is_whole` is false, some invoices are missing, and a number is certain only if written as on its invoice.
    `readdressed` are the ids of invoices that were first sent to somebody else. `earlier` maps former invoice
    numbers, by which invoices are also found, to ids. `roommates` maps the ids of invoices to the names of the
    household's other members, who may pay, too.
    """

    def __init__(
        self, invoices: Iterable[KnownInvoice], write: Forms = PLAIN, *, is_whole: bool = True,
        readdressed: Collection[str] = (), earlier: Mapping[str, str] = _NONE_EARLIER,
        roommates: Mapping[str, Sequence[str]] = MappingProxyType({}),
    ) -> None:  # fmt: skip
        self.write, self.is_whole, self.readdressed = write, is_whole, readdressed
        self.by_number: dict[str, list[KnownInvoice]] = defaultdict(list)
        self.squeezed: dict[str, list[KnownInvoice]] = defaultdict(list)
        self.by_person: dict[str, list[KnownInvoice]] = defaultdict(list)
        self.by_word: dict[str, list[KnownInvoice]] = defaultdict(list)
        self.by_roommate: dict[str, list[tuple[KnownInvoice, str]]] = defaultdict(list)
        self.asking: dict[tuple[str, int, str], dict[str, KnownInvoice]] = defaultdict(dict)
        self.names: dict[str, frozenset[str]] = {}
        self.marked: dict[tuple[str, str, int], list[KnownInvoice]] = defaultdict(list)
        self.paid: dict[str, int] = defaultdict(int)
        numbers = grouped((invoice_id, number) for number, invoice_id in earlier.items())
        for one in invoices:
            for number in (one.number, *numbers[one.id]):
                self.by_number[number].append(one)
                self.squeezed[squeezed(number)].append(one)
            if one.was_marked:
                self.marked[one.person, one.currency, one.noted].append(one)
            if one.is_open:
                for key in _asks(one):
                    self.asking[key][one.id] = one
                self.by_person[one.person].append(one)
                self.names[one.id] = words = words_of(one.tenant_name or "")
                if words:
                    self.by_word[max(words, key=len)].append(one)
                for name in roommates.get(one.id, ()):
                    if len(words := words_of(name)) >= FEWEST_WORDS:
                        self.by_roommate[max(words, key=len)].append((one, name))
        self.lengths = sorted({len(number) for number in self.squeezed}, reverse=True)

    def match(self, row: BankRow, told: Sequence[EarlierEntry] = (), alike: Alike = _NONE_ALIKE) -> Match:
        """Match a row to invoices, taking account of the rows matched before it.

        If the row's payment may already be recorded, in the entries `told` or `alike`, the match is never certain.
        """
        found = self._found(row)
        if told:
            return _asked(found, PROPOSED if found.candidates else UNMATCHED, told, WORDED_OTHERWISE)
        if len({candidate[0].invoice.id for candidate in found.candidates}) == 1:
            its = [part.invoice for part in found.candidates[0]]
            if same := alike.read_otherwise(row, its):
                return _asked(found, PROPOSED, same, READ_OTHERWISE)
            if same := alike.entered_by_hand(row, its):
                return _asked(found, PROPOSED, same, BY_HAND)
        if found.verdict != MATCHED and (same := alike.named_by_hand(row, or_only=not found.candidates)):
            asked = _asked(found, found.verdict, same, BY_HAND)
            return asked._replace(reason=joined([found.reason, asked.reason]))
        if found.verdict == MATCHED and not alike.is_whole:
            return found._replace(verdict=PROPOSED, reason=f"{found.reason} {NOT_ALL_ALIKE}")
        if found.verdict == MATCHED:
            for part in found.candidates[0]:
                self.paid[part.invoice.id] += part.cents
                for key in _asks(part.invoice):
                    self.asking[key].pop(part.invoice.id, None)
        return found

    def _found(self, row: BankRow) -> Match:
        every, is_plain = self._named(_all_of(row))
        named = [one for one in every if one.currency == row.currency]
        if named and not is_plain:
            says = say("The text may refer to {named}.", named=any_of(one.number for one in named))
            return Match(row, PROPOSED, says, each_of(named, row.cents))
        if named:
            return self._or_payers_own(self._of_whom(self._by_number(row, named), named), named)
        found = self._by_name(row) or self._by_roommate(row) or self._by_amount(row)
        if every and found.verdict == UNMATCHED:
            says = say(
                "The text mentions {number}, which is in {currency}, but this row is in {currency_2}.",
                number=every[0].number,
                currency=every[0].currency,
                currency_2=row.currency,
            )
            return found._replace(reason=says)
        return found

    # --- numbers

    def is_named_in(self, row: BankRow) -> bool:
        """True if a row names an invoice by its number."""
        return bool(self._named(_all_of(row))[0])

    def _named(self, text: str) -> tuple[list[KnownInvoice], bool]:
        """Find the invoices whose numbers a text contains, and whether they are certain.

        A number written with other separators, or none, is uncertain if several invoices fit, or if `is_whole` is
        false.
        """
        upper = text.upper()
        exact = [one for number in NUMBER.findall(upper) for one in self.by_number.get(number, ())]
        if exact:
            return list(dict.fromkeys(exact)), True
        places = [place.start() for place in LETTERS.finditer(upper)]
        letters = "".join(upper[place] for place in places)
        found = [self._ending_at(upper, places, letters, month.start() + MONTH_DIGITS)
                 for month in MONTH.finditer(letters)]  # fmt: skip
        is_plain = self.is_whole and all(len(some) <= 1 for some in found)
        return list(dict.fromkeys(one for some in found for one in some)), is_plain

    def _ending_at(self, text: str, places: list[int], letters: str, end: int) -> list[KnownInvoice]:
        """Find the invoices with the longest number, ignoring separators, that ends at a position."""
        after = text[places[end - 1] + 1 :][:1]
        for length in self.lengths if not after.isdigit() else ():
            begin = end - length
            if begin >= 0 and (known := self.squeezed.get(letters[begin:end])) and _begins_word(text, places[begin]):
                return known
        return []

    def _by_number(self, row: BankRow, named: list[KnownInvoice]) -> Match:
        if len(named) > 1:
            return self._by_numbers(row, named)
        one, left = named[0], self._left(named[0])
        whole = ((Part(one, row.cents),),)
        if one.is_open and left > 0:
            if row.cents == left:
                says = say("The text mentions {number}, and the amount is what is left to pay.", number=one.number)
                return Match(row, MATCHED, says, whole)
            if row.cents < left:
                return Match(row, MATCHED, pays_a_part(one.number, self._money(left, one)), whole)
            return self._with_another(row, one, left)
        if one.was_marked:
            says = say(
                "The text mentions {number}, which was marked as paid. This may be that payment.", number=one.number
            )
            more = ""
            if row.cents > one.noted:
                more = say(
                    "{noted} was marked as paid; the remaining {credit} would be a credit.",
                    noted=self._money(one.noted, one),
                    credit=self._money(row.cents - one.noted, one),
                )
            both = joined([says, more, say("Or it’s another payment.")])
            return Match(row, PROPOSED, both, each_of(named, row.cents))
        says = say("The text mentions {number}, {one}.", number=one.number, one=why_not(one))
        return Match(row, PROPOSED, says, whole)

    def _with_another(self, row: BankRow, one: KnownInvoice, left: int) -> Match:
        """Propose invoices for a payment that exceeds the amount left on the named invoice."""
        rest, whole = row.cents - left, (Part(one, row.cents),)
        others = [each for each in self.by_person[one.person] if each.id != one.id and self._left(each) == rest]
        both = [(Part(one, left), Part(each, rest)) for each in others if each.currency == row.currency]
        says = pays_too_much(one.number, self._money(rest, one), any_of(each.number for each in others))
        return Match(row, PROPOSED, says, (*both, whole))

    def _by_numbers(self, row: BankRow, named: list[KnownInvoice]) -> Match:
        numbers = ", ".join(one.number for one in named)
        is_one = len({one.person for one in named}) == 1
        own = self.by_person[named[0].person] if is_one else ()
        further = [one for one in own if one.currency == row.currency and one not in named]
        for all_open, verdict in ((named, MATCHED), ([*named, *further], PROPOSED)):
            parts = tuple(Part(one, self._left(one)) for one in all_open if one.is_open and self._left(one) > 0)
            if {*named} <= {part.invoice for part in parts} and sum(part.cents for part in parts) == row.cents:
                return Match(row, verdict, pays_together(numbers, is_all=verdict == PROPOSED), (parts,))
        says = say("The text mentions {numbers}, which together come to a different amount.", numbers=numbers)
        return Match(row, PROPOSED, says, each_of(named, row.cents))

    def _of_whom(self, found: Match, named: Sequence[KnownInvoice]) -> Match:
        """Turn a match into a proposal if the invoice was first sent to somebody else.

        The match stays certain if the row names the current addressee.
        """
        for one in named:
            if one.id in self.readdressed and not is_named(one.tenant_name, f"{found.row.name} {found.row.text}"):
                whose = say(
                    "However, {number} was somebody else’s before, and this payment doesn’t name {tenant}: check who "
                    "paid.",
                    number=one.number,
                    tenant=one.tenant_name or say("anybody"),
                )
                return found._replace(verdict=PROPOSED, reason=joined([found.reason, whose]))
        return found

    def _or_payers_own(self, found: Match, named: Sequence[KnownInvoice]) -> Match:
        """Propose the payer's own invoice as well, if only that invoice fits the amount.

        It is proposed before the invoice that the payment names. The amount fits if it is exactly the amount
        left to pay on the payer's own invoice.
        """
        row, its = found.row, {one.person for one in named}
        own = self._by_name(row)
        if own is None or len(own.candidates) > 1 or (found.verdict == MATCHED and self._left(named[0]) == row.cents):
            return found
        (part,) = own.candidates[0]
        if part.invoice.person in its or self._left(part.invoice) != row.cents:
            return found
        candidates = (*own.candidates, *found.candidates)[:MOST_PAYMENT_CANDIDATES]
        return Match(row, PROPOSED, joined([found.reason, own.reason]), candidates)

    # --- names and amounts

    def _by_name(self, row: BankRow) -> Match | None:
        words = words_of(f"{row.name} {row.text}")
        known = {
            one.id: one
            for word in words
            for one in self.by_word.get(word, ())
            if one.currency == row.currency and self._left(one) > 0 and words >= self.names[one.id]
        }
        if not known:
            return None
        found = sorted(known.values(), key=lambda one: (one.due_date or "", one.number))
        people = {one.person for one in found}
        exact = [one for one in found if self._left(one) == row.cents]
        name = found[0].tenant_name or ""
        if len(exact) == 1 and len(people) == 1 and len(words_of(name)) >= FEWEST_WORDS:
            return self._of_the_only_one(row, exact[0], name)
        single = tuple((Part(one, row.cents),) for one in (exact or found)[:MOST_PAYMENT_CANDIDATES])
        together = tuple(Part(one, self._left(one)) for one in found)
        if len(people) == 1 and len(found) > 1 and sum(part.cents for part in together) == row.cents:
            says = say(
                "It names {name}, and the amount is what is left to pay on {found} invoices together.",
                name=name,
                found=len(found),
            )
            return Match(row, PROPOSED, says, (together, *single))
        if len(people) > 1:
            return Match(row, PROPOSED, say("It may be from {found}.", found=who(found)), single)
        several = say("It names {name}, but the amount fits several invoices.", name=name)
        none = say("It names {name}, but the amount doesn’t match any open invoice.", name=name)
        return Match(row, PROPOSED, several if exact else none, single)

    def _of_the_only_one(self, row: BankRow, one: KnownInvoice, name: str) -> Match:
        """Match or propose the only open invoice that has the row's name and amount."""
        marked = self.marked.get((one.person, row.currency, row.cents), ())
        says = say("It names {name}, and only {number} has exactly this amount left to pay.")
        if marked:
            says = say(
                "It names {name}, and only {number} has exactly this amount left to pay. It may also be for "
                "{others}, which was marked as paid."
            )
        elif one.was_sent_after(row.day):
            says = say(
                "It names {name}, and only {number} has exactly this amount left to pay, but that invoice has a "
                "later date than the payment."
            )
        elif not self.is_whole:
            says = say(
                "It names {name}, and of the invoices that were checked, only {number} has exactly this amount left "
                "to pay."
            )
        else:
            return Match(row, MATCHED, says.format(name=name, number=one.number), ((Part(one, row.cents),),))
        says = says.format(name=name, number=one.number, others=any_of(other.number for other in marked))
        others = [(Part(other, row.cents, in_place_of_noted=True),) for other in marked[: MOST_PAYMENT_CANDIDATES - 1]]
        return Match(row, PROPOSED, says, ((Part(one, row.cents),), *others))

    def _by_roommate(self, row: BankRow) -> Match | None:
        """Propose invoices of a tenant who lives with a person named by the row."""
        words = words_of(f"{row.name} {row.text}")
        found = [
            (one, name)
            for word in words
            for one, name in self.by_roommate.get(word, ())
            if one.currency == row.currency and self._left(one) > 0 and words >= words_of(name)
        ]
        if not found:
            return None
        exact = [one for one in found if self._left(one[0]) == row.cents]
        its = sorted((one for one, _ in exact or found), key=lambda one: (one.due_date or "", one.number))
        name = any_of(name for _, name in found)
        says = say("It names {name}, of the same household as {tenant}.", name=name, tenant=who(its))
        return Match(row, PROPOSED, says, tuple((Part(one, row.cents),) for one in its[:MOST_PAYMENT_CANDIDATES]))

    def _by_amount(self, row: BankRow) -> Match:
        found = self._asking(row, "")
        if not found:
            return Match(row, UNMATCHED, say("No number, name or amount matches an open invoice."))
        says = say_n(
            "Only the amount matches: one open invoice has it, but no number or name confirms it.",
            "Only the amount matches: {n} open invoices have it, but no number or name confirms it.",
            len(found),
        )
        surnamed = [one for word in words_of(f"{row.name} {row.text}") for one in self._asking(row, word)]
        if len(surnamed) == 1:
            found, says = surnamed, names_a_surname(surnamed[0])
        parts = tuple((Part(one, row.cents),) for one in found[:MOST_PAYMENT_CANDIDATES])
        return Match(row, PROPOSED, says, parts)

    def _asking(self, row: BankRow, surname: str) -> list[KnownInvoice]:
        return list(self.asking.get((row.currency, row.cents, surname), {}).values())

    def _left(self, one: KnownInvoice) -> int:
        """Return the cents left to pay on an invoice after the rows matched before."""
        return one.balance - self.paid[one.id]

    def _money(self, cents: int, one: KnownInvoice) -> str:
        return self.write.money(cents, one.currency)


def match_all(
    rows: Sequence[BankRow], books: Books, told: Told | None = None, alike: Alike | None = None
) -> list[Match]:
    """Match all rows to invoices, and return the matches in the order of the file.

    Rows whose texts name an invoice are matched before the others, so that a payment without an invoice number
    isn't matched to an invoice that another row names. `told` is the result of `told_before`, `alike` that of
    `entered_alike`.
    """
    told, alike = told or {}, alike or _NONE_ALIKE
    in_turn = sorted(rows, key=lambda row: (not books.is_named_in(row), row.line))
    found = {row.source: books.match(row, told.get(row.source, ()), alike) for row in in_turn}
    return [found[row.source] for row in rows]


def _asked(found: Match, verdict: Verdict, same: Sequence[EarlierEntry], by: Text) -> Match:
    """Turn a match into a question: whether the row's payment is already recorded."""
    names = ", ".join(dict.fromkeys(one.number for one in same))
    return found._replace(verdict=verdict, reason=by.format(invoices=names), same_as=tuple(same))


def _asks(one: KnownInvoice) -> set[tuple[str, int, str]]:
    """Return keys for finding an unpaid invoice: its amount, alone and with the tenant's surname."""
    return {(one.currency, one.balance, surname) for surname in ("", surname_of(one.tenant_name or ""))}


def _all_of(row: BankRow) -> str:
    return f"{row.name} {row.text} {row.reference}"


def _begins_word(text: str, place: int) -> bool:
    return place == 0 or not text[place - 1].isalnum()
