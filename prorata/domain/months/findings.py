"""What a person should look at before a month's invoices are sent: each finding a plain sentence and what to do."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from prorata.domain.billing_calendar import Month
from prorata.domain.groups import added_up
from prorata.domain.locale_forms import PLAIN, Forms, counted
from prorata.domain.splitting.division_layout import why_owner
from prorata.domain.splitting.month_facts import Line, MonthFacts, billed_days
from prorata.domain.splitting.share_rules import Rule
from prorata.domain.splitting.split_methods import SPLIT_METHODS, WEIGHTED
from prorata.domain.splitting.stays import LineDays, UnitDays, of_month, units_on
from prorata.domain.utility_names import within_a_sentence

Kind = Literal[
    "held", "flagged", "unconfirmed", "waitingMail", "missingBill", "unusualAmount", "guessed", "missingFacts",
    "ownerBears", "vacant", "tenantChange", "shortOverlap", "sameAddress", "noAddress", "waiting", "pending",
    "anothersCharge",
]  # fmt: skip
KIND_NAMES: Mapping[Kind, tuple[str, str]] = {
    "held": ("held bill", "held bills"),
    "flagged": ("flagged bill", "flagged bills"),
    "unconfirmed": ("file to confirm", "files to confirm"),
    "waitingMail": ("message to look at", "messages to look at"),
    "missingBill": ("missing bill", "missing bills"),
    "unusualAmount": ("unusual amount", "unusual amounts"),
    "guessed": ("bill split by guess", "bills split by guess"),
    "missingFacts": ("unit without a figure", "units without a figure"),
    "ownerBears": ("bill that you pay", "bills that you pay"),
    "vacant": ("vacant unit", "vacant units"),
    "tenantChange": ("unit with a change", "units with a change"),
    "shortOverlap": ("overlap of tenants", "overlaps of tenants"),
    "sameAddress": ("shared address", "shared addresses"),
    "noAddress": ("tenant without e-mail", "tenants without e-mail"),
    "waiting": ("late bill", "late bills"),
    "pending": ("change since it was sent", "changes since it was sent"),
    "anothersCharge": ("charge of someone else", "charges of someone else"),
}
"""What a list of months calls one finding of a kind, and several."""
NAMED = 5
"""So many units or people a sentence names."""
_WHOSE = {True: {"it": "it", "its": "its"}, False: {"it": "each", "its": "their"}}
"""How units are spoken of: one of them, or several."""


class Finding(NamedTuple):
    """One thing to look at: a sentence, what to do, the number it concerns, and the ids of the records it is about.

    `to_check` says that the invoices may be wrong by it; else it is good to know. `rule` is the utility type of the
    rule that is to be looked at, where it is one.
    """

    kind: Kind
    message: str
    advice: str
    number: int
    records: tuple[str, ...]
    to_check: bool = True
    rule: str | None = None


class Named(NamedTuple):
    """How much was found of a kind, in words."""

    kind: Kind
    says: str


def named_by_kind(findings: Iterable[Finding], write: Forms = PLAIN) -> tuple[Named, ...]:
    """What was found, kind by kind, in the order in which the kinds come.

    >>> late = Finding("waiting", "", "", 2, ())
    >>> [named.says for named in named_by_kind([late, Finding("pending", "", "", 1, ()), late])]
    ['4 late bills', '1 change since it was sent']
    """
    numbers = added_up((finding.kind, finding.number) for finding in findings)
    return tuple(
        Named(kind, f"{write.count(number)} {KIND_NAMES[kind][0 if number == 1 else 1]}")
        for kind, number in numbers.items()
    )


def of_flags(
    held: Sequence[tuple[str, int]], flagged: Sequence[str], currency: str, write: Forms = PLAIN
) -> Iterator[Finding]:
    """What of a month's bills nobody has decided about: bills that are held, each with what it is over in cents; and
    bills that count and have open flags.

    >>> [found.message for found in of_flags([("bill_1", 80_00)], [], "USD")]
    ['1 bill over $80.00 is flagged and held: it is on no invoice.']
    """
    if held:
        money = write.money(sum(amount for _, amount in held), currency)
        yield Finding(
            "held",
            f"{counted(len(held), 'bill', write)} over {money} {'is' if len(held) == 1 else 'are'} flagged and held: "
            f"{'it is' if len(held) == 1 else 'they are'} on no invoice.",
            "Accept what is right, and it is billed here; correct or delete what is not.",
            len(held),
            tuple(bill_id for bill_id, _ in held),
        )
    if flagged:
        yield Finding(
            "flagged",
            f"{counted(len(flagged), 'bill', write)} {'is' if len(flagged) == 1 else 'are'} flagged, and nobody has "
            f"said that {'it is' if len(flagged) == 1 else 'they are'} right.",
            "Compare with the paper, then accept it or correct it.",
            len(flagged),
            tuple(flagged),
        )


def of_inbox(files: int, messages: int, write: Forms = PLAIN) -> Iterator[Finding]:
    """What waits in the inbox and may be a bill of a month: so many files that nobody has confirmed, and so many
    messages whose files were not taken.

    >>> [found.message for found in of_inbox(2, 0)]
    ['2 files in the inbox wait to be confirmed. They may be for this month.']
    """
    if files:
        yield Finding(
            "unconfirmed",
            f"{counted(files, 'file', write)} in the inbox {'waits' if files == 1 else 'wait'} to be confirmed. "
            f"{'It' if files == 1 else 'They'} may be for this month.",
            "Confirm what is a bill, and set aside what is none.",
            files,
            (),
        )
    if messages:
        yield Finding(
            "waitingMail",
            f"{counted(messages, 'message', write)} in the inbox {'waits' if messages == 1 else 'wait'}, with files "
            f"that are not taken. {'It' if messages == 1 else 'They'} may bring a bill for this month.",
            "Take up what brings bills, and refuse what does not. Where a file could not be taken, bring it yourself, "
            "and mark the message as dealt with.",
            messages,
            (),
        )


KEEPS_FROM_SENDING: frozenset[Kind] = frozenset(
    {"held", "flagged", "unconfirmed", "waitingMail", "missingBill", "guessed", "missingFacts"}
)
"""What keeps a month from being sent by itself: bills that are missing, or that nobody has confirmed, and what was
divided by less than is needed for it. A person may still send it.
"""


def waits_for_somebody(findings: Iterable[Finding]) -> bool:
    """Whether a month is not to be sent by itself, as something of it waits for somebody."""
    return any(finding.kind in KEEPS_FROM_SENDING for finding in findings)


class PastLine(NamedTuple):
    """A bill line of this month or one before; `amount` in cents. Without a utility type it is not billed."""

    bill_id: str
    month: Month
    utility_type: str | None
    amount: int
    issuer: str
    account_number: str


def of_facts(facts: MonthFacts, write: Forms = PLAIN) -> Iterator[Finding]:
    """What the facts of a month show: lines divided by guess, measures nobody entered, lines that only the owner bears,
    and vacant units.
    """
    guessed = {line.bill_id: line.issuer for line in facts.lines if line.guessed}
    if guessed:
        yield Finding(
            "guessed",
            f"{counted(len(guessed), 'bill', write)} of {listed(sorted(set(guessed.values())), write)} "
            f"{'gives' if len(guessed) == 1 else 'give'} no amount for each utility, "
            f"so the total was divided equally over them.",
            "Enter the amounts as they stand on the bill, if it has them.",
            len(guessed),
            tuple(guessed),
        )
    seen = _lines_by_kind(facts)
    yield from _missing_facts(facts.rules, seen, write)
    yield from _borne_by_the_owner(facts, seen, write)
    there = {unit.unit_id: unit for one in seen.values() for _, _, units in one for unit in units}
    lived_in = {unit.unit_id for one in seen.values() for _, _, units in one for unit in units if not unit.is_vacant}
    vacant = [unit for unit_id, unit in there.items() if unit_id not in lived_in]
    if vacant:
        yield Finding(
            "vacant",
            f"{_units(vacant, write)} {'was' if len(vacant) == 1 else 'were'} vacant {_when(facts, write)}: "
            "what falls on vacant units is the owner’s cost.",
            "If somebody lived there, add the tenant.",
            len(vacant),
            tuple(unit.unit_id for unit in vacant),
            to_check=False,
        )


def days_of(facts: MonthFacts) -> LineDays:
    """The days that the bills of a month are for, from the first to the last; those of the month where it has none."""
    every = billed_days(facts.month, facts.lines)
    return LineDays(min(days.first for days in every), max(days.last for days in every))


def _when(facts: MonthFacts, write: Forms) -> str:
    days = days_of(facts)
    if days == of_month(facts.month):
        return f"in {write.month(facts.month)}"
    first, last = write.day(days.first), write.day(days.last)
    return f"on the days that bills of {write.month(facts.month)} are for, {first} to {last}"


_Seen = tuple[Line, LineDays, Sequence[UnitDays]]
"""A line with its service days, and the units as it sees them."""


def _lines_by_kind(facts: MonthFacts) -> Mapping[str, Sequence[_Seen]]:
    found: dict[str, list[_Seen]] = defaultdict(list)
    by_days: dict[LineDays, Sequence[UnitDays]] = {}
    for line in facts.lines:
        if line.utility_type is not None:
            days = line.service or of_month(facts.month)
            if days not in by_days:
                by_days[days] = units_on(days, facts.units)
            found[line.utility_type].append((line, days, by_days[days]))
    return found


def _methods(rule: Rule) -> Sequence[str]:
    return [part.split_method for part in rule.blend] or [rule.split_method]


def _missing_facts(rules: Mapping[str, Rule], seen: Mapping[str, Sequence[_Seen]], write: Forms) -> Iterator[Finding]:
    lacking: dict[str, dict[str, UnitDays]] = defaultdict(dict)
    utilities: dict[str, dict[str, str]] = defaultdict(dict)
    for kind, lines in seen.items():
        rule = rules.get(kind)
        for method in _methods(rule) if rule else ():
            every = (unit for _, _, units in lines for unit in units)
            without = [unit for unit in every if rule and SPLIT_METHODS[method].measure(unit, rule) is None]
            if without:
                lacking[method] |= {unit.unit_id: unit for unit in without}
                utilities[method][kind] = within_a_sentence(kind)
    for method, without_it in lacking.items():
        found, divided = [*without_it.values()], [*utilities[method].values()]
        measured = SPLIT_METHODS[method].measured
        assert measured is not None, f"{method} has measures that may be unknown, and does not say of what"
        yield Finding(
            "missingFacts",
            f"{_units(found, write)} {'has' if len(found) == 1 else 'have'} no {measured.noun}, by which "
            f"{listed(divided, write)} {'is' if len(divided) == 1 else 'are'} divided: "
            f"{'it counts' if len(found) == 1 else 'they count'} as 0 and the others pay more.",
            f"{measured.advice.format(**_WHOSE[len(found) == 1])}; the invoices follow at once.",
            len(found),
            tuple(without_it),
            rule=next(iter(utilities[method])) if method in WEIGHTED else None,
        )


def _borne_by_the_owner(facts: MonthFacts, seen: Mapping[str, Sequence[_Seen]], write: Forms) -> Iterator[Finding]:
    for kind, lines in seen.items():
        rule = facts.rules.get(kind)
        borne = [one for one in lines if not _bears_anybody(rule, one[2])]
        if not borne:
            continue
        amount = write.money(sum(line.amount for line, _, _ in borne), facts.currency)
        why = why_owner(rule, borne[0][1], borne[0][2], within_a_sentence(kind), write)
        yield Finding(
            "ownerBears",
            f"{why[0]} That is {amount}.",
            "Leave it so, or switch on a rule that divides it."
            if rule is None
            else "Leave it so, or enter what the rule divides by, or choose another way to divide.",
            len(borne),
            tuple(line.bill_id for line, _, _ in borne),
            rule=kind,
        )


def _bears_anybody(rule: Rule | None, units: Sequence[UnitDays]) -> bool:
    """Whether a unit has any of what a rule divides by."""
    return rule is not None and any(
        SPLIT_METHODS[method].measure(unit, rule) for unit in units for method in _methods(rule)
    )


def listed(names: Sequence[str], write: Forms = PLAIN) -> str:
    """Names as a sentence has them, the first few where there are many.

    >>> listed(["1"]), listed(["1", "2", "3"]), listed([str(number) for number in range(1, 9)])
    ('1', '1, 2 and 3', '1, 2, 3, 4, 5 and 3 more')
    """
    shown = list(names) if len(names) <= NAMED + 1 else [*names[:NAMED], f"{write.count(len(names) - NAMED)} more"]
    return " and ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))


def _units(units: Sequence[UnitDays], write: Forms) -> str:
    return f"{'Unit' if len(units) == 1 else 'Units'} {listed([unit.label for unit in units], write)}"


def of_closed(
    waiting: Sequence[PastLine],
    month: Month,
    currency: str,
    *,
    pending: bool,
    settles: bool = True,
    write: Forms = PLAIN,
) -> Iterator[Finding]:
    """What a closed month shows: bills that came too late for it, and that it would be computed otherwise by now."""
    if waiting:
        ids = tuple(dict.fromkeys(line.bill_id for line in waiting))
        yield Finding(
            "waiting",
            f"{counted(len(ids), 'bill', write)} over {write.money(sum(line.amount for line in waiting), currency)} "
            f"came after invoices of {write.month(month)} were sent, and {'waits' if len(ids) == 1 else 'wait'}.",
            "Charge those who lived there then, bill them in an open month, or set the sent invoices back to draft.",
            len(ids),
            ids,
        )
    if pending:
        yield Finding(
            "pending",
            f"Something that {write.month(month)} is computed from has changed since its first invoice was sent. "
            "What was sent stays as it is.",
            "See each tenant's difference: put it on the next invoices, or bear it yourself."
            if settles
            else "Leave it so, or set the sent invoices back to draft: the month is then computed again.",
            1,
            (),
        )
