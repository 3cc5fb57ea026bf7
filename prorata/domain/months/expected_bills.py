"""Bills that usually come, and those that are missing in a month."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from prorata.domain.accounts.settings import ASK, late_in_words
from prorata.domain.billing_calendar import Month, months_apart, months_back
from prorata.domain.groups import grouped
from prorata.domain.labels import same
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.months.findings import Finding, PastLine, listed
from prorata.domain.texts import Text, joined, say, say_n
from prorata.domain.utility_names import within_a_sentence

_UNNUMBERED = say(
    "There is a bill from {issuer} without an account number. If it is this one, enter its account number."
)
_ONLY_CORRECTIONS = say(
    "None of this month's bills has arrived yet: its invoices contain only corrections and what you added by hand. "
    "Wait for the bills and send everything together, or send now: a bill that arrives later {late}."
)
USUAL_OF, USUAL_FROM = 6, 3
"""The number of preceding months considered, and the minimum in which a usual bill came."""


class _Bill(NamedTuple):
    """A bill that came in a month: its id and its utility types.

    If the bill has unbilled lines, the types include "".
    """

    id: str
    kinds: frozenset[str]


class _Usual(NamedTuple):
    """The usual number of bills in a month, and earlier months with that number."""

    number: int
    months: Sequence[Month]


class _Missing(NamedTuple):
    """A missing bill: the last similar bill, and the usual and actual numbers of bills."""

    last: _Bill
    usual: _Usual
    came: int


class _OfIssuer:
    """The usual bills of one issuer and account number, and those that came this month."""

    def __init__(self, month: Month, lines: Iterable[PastLine]) -> None:
        by_bill = grouped(((line.month, line.bill_id), line) for line in lines)
        self.lines = {bill_id: its[-1] for (_, bill_id), its in sorted(by_bill.items())}
        self.bills: dict[Month, list[_Bill]] = defaultdict(list)
        for (of, bill_id), its in sorted(by_bill.items()):
            self.bills[of].append(_Bill(bill_id, frozenset(line.utility_type or "" for line in its)))
        self.month = month
        self.here = self.bills.pop(month, [])
        self.before = [of for of in sorted(self.bills) if months_back(month, USUAL_OF) <= of < month]

    def missing(self) -> list[_Missing]:
        """List the missing bills, utility by utility.

        A bill may come without one of its utilities. Therefore no bill for a utility is missing if all of its
        earlier bills were also for another utility whose usual bills have come. If no single utility was billed in
        enough earlier months to be usual, a bill is missing only if the issuer sent none at all.
        """
        kinds = {kind for of in self.before for bill in self.bills[of] for kind in bill.kinds}
        counts = {kind: {of: len(_with(self.bills[of], kind)) for of in self.before} for kind in sorted(kinds)}
        if not any(sum(map(bool, of_kind.values())) >= USUAL_FROM for of_kind in counts.values()):
            return [] if self.here else self._nothing_came()
        usual = {
            kind: usual_number for kind, of_kind in counts.items() if (usual_number := self._usual(of_kind)) is not None
        }
        here = {kind: len(_with(self.here, kind)) for kind in usual}
        have_come = {kind for kind, its_usual in usual.items() if here[kind] >= its_usual.number}
        missing: list[_Missing] = []
        for kind, usual_number in sorted(usual.items(), key=lambda pair: pair[1].number):
            named = sum(kind in missing_bill.last.kinds for missing_bill in missing)
            before = [bill for of in usual_number.months for bill in _with(self.bills[of], kind)]
            alike = [bill for bill in before if not bill.kinds & have_come]
            if alike and here[kind] + named < usual_number.number:
                missing.append(_Missing(alike[-1], usual_number, here[kind]))
        return missing

    def _nothing_came(self) -> list[_Missing]:
        usual = self._usual(dict.fromkeys(self.before, 1))
        return [_Missing(self.bills[usual.months[-1]][-1], usual, 0)] if usual is not None else []

    def _usual(self, counts: Mapping[Month, int]) -> _Usual | None:
        """Return the usual number of bills, and the earlier months that reached this number.

        `counts` are the numbers of bills in earlier months. The usual number is the largest one that at least
        `USUAL_FROM` months reached and that is due again: since the last of these months, at least as many months
        have passed as in the shortest gap between two of them. If there is no such number, the result is None.
        """
        for number in sorted(set(counts.values()) - {0}, reverse=True):
            months = [of for of, came in counts.items() if came >= number]
            if len(months) < USUAL_FROM:
                continue
            rhythm = min(months_apart(month, other) for month, other in pairwise(months))
            if months_apart(months[-1], self.month) >= rhythm:
                return _Usual(number, months)
        return None


def _with(bills: Iterable[_Bill], kind: str) -> list[_Bill]:
    return [bill for bill in bills if kind in bill.kinds]


def missing_bills(
    month: Month, lines: Iterable[PastLine], write: Forms = PLAIN, late_bills: str = ASK, *, is_closed: bool = False
) -> Iterator[Finding]:
    """Report bills that usually come but are missing in `month`.

    Bills are usual if the same number from the same issuer, with the same account number and utility, came in at
    least three of the six months before. A bill that comes every second month is not missed in the month between.
    If fewer than three of those months have any bills, bills for the utilities of the latest month with bills are
    expected instead. If a bill of the issuer that came without an account number may be the missing one, the
    message says so. `late_bills` is the account's setting for late bills, which the advice describes. In a closed
    month that has bills, missing ones are reported only for information.

    >>> came = [PastLine(f"b{at}", Month(f"2026-0{at}"), "GAS", 50_00, "Prairie Gas", "") for at in (1, 2, 3)]
    >>> [found.message for found in missing_bills(Month("2026-04"), came)]
    ['The bill from Prairie Gas has not arrived: it came in 3 of the previous 6 months, most recently in March 2026.']
    >>> [found.advice.partition(":")[0] for found in missing_bills(Month("2026-04"), came)]
    ["None of this month's bills has arrived yet"]
    >>> came = [line._replace(account_number="7-1") for line in came]
    >>> came.append(PastLine("b4", Month("2026-04"), "GAS", 50_00, "Prairie Gas", ""))
    >>> [found.message.partition("2026. ")[2] for found in missing_bills(Month("2026-04"), came)]
    ['There is a bill from Prairie Gas without an account number. If it is this one, enter its account number.']
    """
    lines = list(lines)
    to_check = not is_closed or all(line.month != month for line in lines)
    advice = _advice(month, lines, late_bills, is_closed=is_closed)
    if not knows_what_is_usual(month, lines):
        yield from _unlike_the_month_before(month, lines, write, advice, to_check=to_check)
        return
    by_issuer: dict[tuple[str, str], list[PastLine]] = defaultdict(list)
    unnumbered: dict[str, set[str]] = defaultdict(set)
    for line in lines:
        by_issuer[same(line.issuer), same(line.account_number)].append(line)
        if line.month == month and not line.account_number:
            unnumbered[same(line.issuer)].add(line.utility_type or "")
    for _, its in sorted(by_issuer.items()):
        of_issuer = _OfIssuer(month, its)
        missing = of_issuer.missing()
        is_one_of_several = len(missing) > 1 or bool(of_issuer.here)
        for missing_bill in missing:
            last = of_issuer.lines[missing_bill.last.id]
            message = _message(last, missing_bill, write, names_utility=is_one_of_several)
            if last.account_number and unnumbered[same(last.issuer)] & missing_bill.last.kinds:
                message = joined([message, _UNNUMBERED.format(issuer=last.issuer)])
            number = missing_bill.usual.number - missing_bill.came
            to_do = advice.of(number, write.count(number))
            yield Finding("missingBill", message, to_do, number, (missing_bill.last.id,), to_check=to_check)


def _advice(month: Month, lines: Sequence[PastLine], late_bills: str, *, is_closed: bool) -> Text:
    """Write advice about missing bills, worded for a single bill.

    The result's method `of` words the advice for another number of bills.
    """
    late = late_in_words(late_bills)
    if is_closed:
        return say_n(
            "This month has been sent. If the bill still comes, add it: a bill that arrives now {late}.",
            "This month has been sent. If the bills still come, add them: a bill that arrives now {late}.",
            1,
            late=late,
        )
    if all(line.month != month for line in lines):
        return _ONLY_CORRECTIONS.format(late=late)
    return say_n(
        "Add it before you send, or send without it: a bill that arrives later {late}.",
        "Add them before you send, or send without them: a bill that arrives later {late}.",
        1,
        late=late,
    )


def _unlike_the_month_before(
    month: Month, lines: Sequence[PastLine], write: Forms, advice: Text, *, to_check: bool
) -> Iterator[Finding]:
    """Report utilities that were billed in the latest month with bills, but not in `month`.

    This function is used if there are too few earlier months to tell what is usual.
    """
    came = {line.utility_type for line in lines if line.month == month}
    before = max((line.month for line in lines if months_back(month, USUAL_OF) <= line.month < month), default=None)
    of_before = [line for line in lines if line.month == before and line.utility_type]
    kinds = sorted({line.utility_type for line in of_before if line.utility_type} - came)
    if before is None or not kinds:
        return
    message = say_n(
        "There is no bill for {utilities} yet, but {before} had one.",
        "There are no bills for {utilities} yet, but {before} had them.",
        len(kinds),
        utilities=listed(sorted(_named(kind, of_before, write) for kind in kinds), write),
        before=write.month(before),
    )
    records = tuple(sorted({line.bill_id for line in of_before if line.utility_type in kinds}))
    to_do = advice.of(len(kinds), write.count(len(kinds)))
    yield Finding("missingBill", message, to_do, len(kinds), records, to_check=to_check)


def _named(kind: str, lines: Sequence[PastLine], write: Forms) -> str:
    """Name a utility within a sentence; OTHER with its issuers, as it may be anything."""
    if kind != "OTHER":
        return within_a_sentence(kind)
    issuers = sorted({line.issuer for line in lines if line.utility_type == kind})
    return say("other costs ({issuers})", issuers=listed(issuers, write))


def _message(line: PastLine, missing: _Missing, write: Forms, *, names_utility: bool) -> Text:
    usual, number = missing.usual, missing.usual.number - missing.came
    whose: str = line.issuer
    if line.account_number:
        whose = say("{issuer}, account {number},", issuer=whose, number=line.account_number)
    if names_utility and any(missing.last.kinds):
        kinds = listed(sorted(within_a_sentence(kind) for kind in missing.last.kinds if kind), write)
        whose = say("{whose} for {utilities}", whose=whose, utilities=kinds)
    came = {
        "whose": whose, "came": write.count(len(usual.months)), "before": write.count(USUAL_OF),
        "last": write.month(usual.months[-1]),
    }  # fmt: skip
    if usual.number == 1:
        return say(
            "The bill from {whose} has not arrived: it came in {came} of the previous {before} months, most recently "
            "in {last}.",
            **came,
        )
    return say_n(
        "{n} of {all} bills from {whose} has not arrived: {all} came in {came} of the previous {before} months, most "
        "recently in {last}.",
        "{n} of {all} bills from {whose} have not arrived: {all} came in {came} of the previous {before} months, "
        "most recently in {last}.",
        number,
        n=write.count(number),
        all=write.count(usual.number),
        **came,
    )


def knows_what_is_usual(month: Month, lines: Iterable[PastLine]) -> bool:
    """True if enough earlier months have bills to tell which bills are usual.

    >>> came = [PastLine(f"b{at}", Month(f"2026-0{at}"), "GAS", 50_00, "Prairie Gas", "") for at in (1, 2, 3)]
    >>> knows_what_is_usual(Month("2026-04"), came), knows_what_is_usual(Month("2026-03"), came)
    (True, False)
    """
    first = months_back(month, USUAL_OF)
    return len({line.month for line in lines if first <= line.month < month}) >= USUAL_FROM
