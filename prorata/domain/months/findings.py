"""Findings to review before a month's invoices are sent: sentences with advice."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Literal, NamedTuple

from prorata.domain.billing_calendar import Month
from prorata.domain.groups import added_up
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.splitting.division_layout import why_owner
from prorata.domain.splitting.month_facts import Line, MonthFacts, billed_days
from prorata.domain.splitting.share_rules import Rule
from prorata.domain.splitting.split_methods import SPLIT_METHODS, WEIGHTED
from prorata.domain.splitting.stays import LineDays, UnitDays, of_month, units_on
from prorata.domain.texts import Text, joined, listed as all_listed, say, say_n
from prorata.domain.utility_names import within_a_sentence

Kind = Literal[
    "held", "flagged", "unconfirmed", "waitingMail", "missingBill", "unusualAmount", "guessed", "missingFacts",
    "ownerBears", "vacant", "tenantChange", "shortOverlap", "sameAddress", "countedTogether", "noAddress",
    "waiting", "pending", "anothersCharge", "disputed",
    "earlierCorrections",
]  # fmt: skip
KIND_NAMES: Mapping[Kind, Text] = {
    "held": say_n("{n} held bill", "{n} held bills", 2),
    "flagged": say_n("{n} flagged bill", "{n} flagged bills", 2),
    "unconfirmed": say_n("{n} file to confirm", "{n} files to confirm", 2),
    "waitingMail": say_n("{n} message to look at", "{n} messages to look at", 2),
    "missingBill": say_n("{n} missing bill", "{n} missing bills", 2),
    "unusualAmount": say_n("{n} unusual amount", "{n} unusual amounts", 2),
    "guessed": say_n("{n} bill split by guess", "{n} bills split by guess", 2),
    "missingFacts": say_n("{n} unit without a figure", "{n} units without a figure", 2),
    "ownerBears": say_n("{n} bill that you pay", "{n} bills that you pay", 2),
    "vacant": say_n("{n} vacant unit", "{n} vacant units", 2),
    "tenantChange": say_n("{n} unit with a change", "{n} units with a change", 2),
    "shortOverlap": say_n("{n} overlap of tenants", "{n} overlaps of tenants", 2),
    "sameAddress": say_n("{n} shared address", "{n} shared addresses", 2),
    "countedTogether": say_n("{n} count of people", "{n} counts of people", 2),
    "noAddress": say_n("{n} tenant without e-mail", "{n} tenants without e-mail", 2),
    "waiting": say_n("{n} late bill", "{n} late bills", 2),
    "pending": say_n("{n} change since it was sent", "{n} changes since it was sent", 2),
    "anothersCharge": say_n("{n} charge of someone else", "{n} charges of someone else", 2),
    "disputed": say_n("{n} disputed invoice", "{n} disputed invoices", 2),
    "earlierCorrections": say_n("{n} correction to decide", "{n} corrections to decide", 2),
}
"""The display names of each kind of finding in a list of months."""
NAMED = 5
"""The maximum number of units or people named in a sentence."""


class Finding(NamedTuple):
    """A point to review: a sentence, advice, a number, and the ids of its records.

    If `to_check` is set, the invoices may be wrong because of the point; otherwise the finding is only for
    information. If a share rule must be reviewed, `rule` is its utility type. `advised_rules` are the utility types of
    share rules that the advice mentions besides the records.
    """

    kind: Kind
    message: str
    advice: str
    number: int
    records: tuple[str, ...]
    to_check: bool = True
    rule: str | None = None
    advised_rules: tuple[str, ...] = ()


class Named(NamedTuple):
    """The number of findings of one kind, in words."""

    kind: Kind
    says: str


def named_by_kind(findings: Iterable[Finding], write: Forms = PLAIN) -> tuple[Named, ...]:
    """Add up the numbers of findings of each kind, and write each sum in words.

    The kinds are in order of first appearance.

    >>> late = Finding("waiting", "", "", 2, ())
    >>> [named.says for named in named_by_kind([late, Finding("pending", "", "", 1, ()), late])]
    ['4 late bills', '1 change since it was sent']
    """
    numbers = added_up((finding.kind, finding.number) for finding in findings)
    return tuple(Named(kind, KIND_NAMES[kind].of(number, write.count(number))) for kind, number in numbers.items())


def of_flags(
    held: Sequence[tuple[str, int]], flagged: Sequence[str], currency: str, write: Forms = PLAIN
) -> Iterator[Finding]:
    """Report a month's undecided flags: held bills, and billed bills with open flags.

    `held` are the ids and amounts, in cents, of the held bills; `flagged` are the ids of the others.

    >>> [found.message for found in of_flags([("bill_1", 80_00)], [], "USD")]
    ['1 bill totaling $80.00 is flagged and held: it is not on any invoice.']
    """
    if held:
        money = write.money(sum(amount for _, amount in held), currency)
        yield Finding(
            "held",
            say_n(
                "{n} bill totaling {money} is flagged and held: it is not on any invoice.",
                "{n} bills totaling {money} are flagged and held: they are not on any invoice.",
                len(held),
                n=write.count(len(held)),
                money=money,
            ),
            say("Accept the bills that are right, and they are billed here; correct or delete the others."),
            len(held),
            tuple(bill_id for bill_id, _ in held),
        )
    if flagged:
        yield Finding(
            "flagged",
            say_n(
                "{n} bill is flagged, and nobody has confirmed that it is right.",
                "{n} bills are flagged, and nobody has confirmed that they are right.",
                len(flagged),
                n=write.count(len(flagged)),
            ),
            say("Compare it with the original bill, then accept or correct it."),
            len(flagged),
            tuple(flagged),
        )


def of_inbox(files: int, messages: int, write: Forms = PLAIN) -> Iterator[Finding]:
    """Report documents in the inbox that may be bills of a month.

    They are files that nobody has confirmed yet, and messages whose files nobody has accepted.

    >>> [found.message for found in of_inbox(2, 0)]
    ['2 files in the inbox are waiting to be confirmed. They may be for this month.']
    """
    if files:
        yield Finding(
            "unconfirmed",
            say_n(
                "{n} file in the inbox is waiting to be confirmed. It may be for this month.",
                "{n} files in the inbox are waiting to be confirmed. They may be for this month.",
                files,
                n=write.count(files),
            ),
            say("Confirm the files that are bills, and set aside those that aren’t."),
            files,
            (),
        )
    if messages:
        yield Finding(
            "waitingMail",
            say_n(
                "{n} message in the inbox is waiting, with files that have not been accepted. It may contain a bill "
                "for this month.",
                "{n} messages in the inbox are waiting, with files that have not been accepted. They may contain a "
                "bill for this month.",
                messages,
                n=write.count(messages),
            ),
            say(
                "Accept the messages that contain bills, and refuse those that don’t. If a file could not be read, "
                "upload it yourself and mark the message as dealt with."
            ),
            messages,
            (),
        )


KEEPS_FROM_SENDING: frozenset[Kind] = frozenset(
    {"held", "flagged", "unconfirmed", "waitingMail", "missingBill", "guessed", "missingFacts"}
)
"""The kinds of findings that block automatic sending of a month.

They are missing bills, bills that nobody has confirmed, and lines that were divided without all the facts needed. A
person may still send the month. `runs.for_a_person` has the reasons that are not findings.
"""


def waits_for_somebody(findings: Iterable[Finding]) -> bool:
    """True if one of the findings keeps a month from being sent automatically."""
    return any(finding.kind in KEEPS_FROM_SENDING for finding in findings)


class PastLine(NamedTuple):
    """A bill line of this or an earlier month; `amount` is in cents.

    `service` is the first and last day of the bill's service, if known. If the bill is spread, the line is for `days`
    of them.
    """

    bill_id: str
    month: Month
    utility_type: str | None
    amount: int
    issuer: str
    account_number: str
    service: tuple[date, date] | None = None
    days: int | None = None


def of_facts(facts: MonthFacts, write: Forms = PLAIN) -> Iterator[Finding]:
    """Report bills split by guess, missing measures, and lines that the owner bears."""
    guessed = {line.bill_id: line.issuer for line in facts.lines if line.guessed}
    if guessed:
        yield Finding(
            "guessed",
            say_n(
                "{n} bill from {issuers} gives no amount for each utility, so the total was divided equally among "
                "them.",
                "{n} bills from {issuers} give no amount for each utility, so the total was divided equally among "
                "them.",
                len(guessed),
                n=write.count(len(guessed)),
                issuers=listed(sorted(set(guessed.values())), write),
            ),
            say("Enter the amounts as they appear on the bill, if it shows them."),
            len(guessed),
            tuple(guessed),
        )
    seen = lines_by_kind(facts)
    yield from _missing_facts(facts.rules, seen, write)
    yield from _borne_by_the_owner(facts, seen, write)


def days_of(facts: MonthFacts) -> LineDays:
    """Return the span of days that a month's bills cover; without bills, the month."""
    every = billed_days(facts.month, facts.lines)
    return LineDays(min(days.first for days in every), max(days.last for days in every))


def rules_at_work(facts: MonthFacts) -> list[Rule]:
    """List the share rules that divide lines of the month."""
    kinds = {line.utility_type for line in facts.lines}
    return [rule for kind, rule in facts.rules.items() if kind in kinds]


def when(facts: MonthFacts, write: Forms) -> Text:
    """State the month or, if its bills are for other days, these days."""
    days, month = days_of(facts), write.month(facts.month)
    if days == of_month(facts.month):
        return say("in {month}", month=month)
    first, last = write.day(days.first), write.day(days.last)
    return say("on the days that bills of {month} are for, {first} to {last}", month=month, first=first, last=last)


Seen = tuple[Line, LineDays, Sequence[UnitDays]]
"""A line with its service days, and the units in use on these days."""


def lines_by_kind(facts: MonthFacts) -> Mapping[str, Sequence[Seen]]:
    """Group a month's lines by utility type."""
    found: dict[str, list[Seen]] = defaultdict(list)
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


def _missing_facts(rules: Mapping[str, Rule], seen: Mapping[str, Sequence[Seen]], write: Forms) -> Iterator[Finding]:
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
            say_n(
                "Unit {units} has no {measure}, which is needed to divide {utilities}: it counts as 0, and the "
                "others pay more.",
                "Units {units} have no {measure}, which is needed to divide {utilities}: they count as 0, and the "
                "others pay more.",
                len(found),
                units=labels(found, write),
                measure=measured.noun,
                utilities=listed(divided, write),
            ),
            joined([measured.advice, say("The invoices are then updated at once.")]),
            len(found),
            tuple(without_it),
            rule=next(iter(utilities[method])) if method in WEIGHTED else None,
        )


def _borne_by_the_owner(facts: MonthFacts, seen: Mapping[str, Sequence[Seen]], write: Forms) -> Iterator[Finding]:
    for kind, lines in seen.items():
        rule = facts.rules.get(kind)
        borne = [one for one in lines if not _bears_anybody(rule, one[2])]
        if not borne:
            continue
        amount = write.money(sum(line.amount for line, _, _ in borne), facts.currency)
        why = why_owner(rule, borne[0][1], borne[0][2], within_a_sentence(kind), write)
        yield Finding(
            "ownerBears",
            joined([why[0], say("That is {amount}.", amount=amount)]),
            say("Leave it as it is, or switch on a rule that divides it.")
            if rule is None
            else say("Leave it as it is, enter what the rule divides by, or choose another way to divide."),
            len(borne),
            tuple(line.bill_id for line, _, _ in borne),
            rule=kind,
        )


def _bears_anybody(rule: Rule | None, units: Sequence[UnitDays]) -> bool:
    """True if a rule divides by a measure that some of the units have."""
    return rule is not None and any(
        SPLIT_METHODS[method].measure(unit, rule) for unit in units for method in _methods(rule)
    )


def listed(names: Sequence[str], write: Forms = PLAIN) -> Text:
    """Join names for a sentence, listing only the first few if there are many.

    >>> listed(["1"]), listed(["1", "2", "3"]), listed([str(number) for number in range(1, 9)])
    ('1', '1, 2 and 3', '1, 2, 3, 4, 5 and 3 more')
    """
    left = len(names) - NAMED
    shown = list(names) if left <= 1 else [*names[:NAMED], say("{n} more", n=write.count(left))]
    return all_listed(shown)


def labels(units: Sequence[UnitDays], write: Forms) -> Text:
    """Name units by their labels, listing only the first few if there are many."""
    return listed([unit.label for unit in units], write)


def of_closed(
    waiting: Sequence[PastLine],
    month: Month,
    currency: str,
    *,
    pending: bool,
    settles: bool = True,
    write: Forms = PLAIN,
) -> Iterator[Finding]:
    """Report a closed month's late bills, and whether recalculating the month would change it."""
    if waiting:
        ids = tuple(dict.fromkeys(line.bill_id for line in waiting))
        yield Finding(
            "waiting",
            say_n(
                "{n} bill totaling {money} arrived after invoices for {month} were sent, and is waiting.",
                "{n} bills totaling {money} arrived after invoices for {month} were sent, and are waiting.",
                len(ids),
                n=write.count(len(ids)),
                month=write.month(month),
                money=write.money(sum(line.amount for line in waiting), currency),
            ),
            say(
                "Charge the people who lived there at the time, include the bills in an open month, or set the sent "
                "invoices back to draft."
            ),
            len(ids),
            ids,
        )
    if pending:
        yield Finding(
            "pending",
            say(
                "Something used to calculate {month} has changed since its first invoice was sent. Sent invoices "
                "stay as they are.",
                month=write.month(month),
            ),
            say("Review each tenant's difference, then put it on the next invoices or bear it yourself.")
            if settles
            else say("Leave it as it is, or set the sent invoices back to draft: the month is then recalculated."),
            1,
            (),
        )
