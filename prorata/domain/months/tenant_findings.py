"""Findings about tenants to review before a month's invoices are sent."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from fractions import Fraction
from itertools import combinations, permutations
from typing import NamedTuple

from prorata.domain.billing_calendar import Month
from prorata.domain.labels import same
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.months.findings import NAMED, Finding, labels, lines_by_kind, listed, when
from prorata.domain.splitting.invoice_sequences import addressee
from prorata.domain.splitting.month_facts import MonthFacts, Span, TenantRecord, UnitRecord, spans, stays_of
from prorata.domain.splitting.share_rules import Rule, divides_by_people
from prorata.domain.splitting.stays import LineDays, UnitDays, households, of_month
from prorata.domain.texts import Text, joined, say, say_n
from prorata.domain.utility_names import within_a_sentence

_HUNDRED = Fraction(100)
SHORT_OVERLAP = 14
"""The maximum number of days of overlap that may be a mistake.

One of the two tenants leaves, and they may not be roommates.
"""


def tenant_changes(
    month: Month, days: LineDays, units: Iterable[UnitRecord], write: Forms = PLAIN
) -> Iterator[Finding]:
    """Report units whose occupants changed during the billed days of `month`.

    A unit is reported if its tenants changed, or if it was vacant or out of use for some of these `days`. Each
    household pays for its own days, and the owner for vacant days.
    """
    changing_units = [(unit, of_unit) for unit in units if len(of_unit := spans(unit, days)) > 1]
    if changing_units:
        number = len(changing_units)
        is_month = days == of_month(month)
        sentences = [
            say("Unit {unit}: {spans}.", unit=unit.label, spans=_in_spans(of_unit, write, is_month=is_month))
            for unit, of_unit in changing_units[:NAMED]
        ]
        left = number - NAMED
        more = [say_n("And {n} more unit.", "And {n} more units.", left, n=write.count(left))] if left > 0 else []
        yield Finding(
            "tenantChange",
            joined([_course(month, days, number, write), *sentences, *more]),
            say(
                "People who live in a unit at the same time pay together, and each household pays for its own days; "
                "you bear the cost of days when nobody lives there, except for what is divided by people, if the rule "
                "assumes nobody in a vacant unit. If a date is wrong, correct it in the tenant’s entry."
            ),
            number,
            tuple(unit.unit_id for unit, _ in changing_units),
            to_check=False,
        )


def _course(month: Month, days: LineDays, number: int, write: Forms) -> Text:
    n = write.count(number)
    if days == of_month(month):
        return say_n(
            "{n} unit had changes during {month}.",
            "{n} units had changes during {month}.",
            number,
            n=n,
            month=write.month(month),
        )
    return say_n(
        "{n} unit had changes during the days that the bills cover, {first} to {last}.",
        "{n} units had changes during the days that the bills cover, {first} to {last}.",
        number,
        n=n,
        first=write.day(days.first),
        last=write.day(days.last),
    )


def _in_spans(of_unit: Sequence[Span], write: Forms, *, is_month: bool) -> Text:
    """List a unit's occupants on a line's days, one after another, with their days.

    The first occupants are listed with their last day only. If the days are a calendar month (`is_month`), the
    last occupants are listed with their first day only. Otherwise, the last occupants get a last day too, because
    somebody else may have moved in on the next day.
    """
    sentences = []
    for at, (since, until, people) in enumerate(of_unit):
        who = say("out of use") if people is None else listed(people, write) if people else say("nobody")
        first, last = write.day(since), write.day(until)
        if not at:
            form = say("{who} until {last}")
        elif is_month and at == len(of_unit) - 1:
            form = say("{who} from {first}")
        else:
            form = say("{who} from {first} to {last}") if since < until else say("{who} on {first}")
        sentences.append(form.format(who=who, first=first, last=last))
    return joined(sentences, ", ")


class Draft(NamedTuple):
    """A draft to be sent: invoice id, unit, tenant, e-mail address, and total in cents."""

    invoice_id: str
    label: str
    tenant: str | None
    email: str | None
    total: int


def without_address(drafts: Iterable[Draft], write: Forms = PLAIN) -> Iterator[Finding]:
    """Report the drafts' tenants who can't be e-mailed because they have no address."""
    drafts_without = [draft for draft in drafts if draft.tenant is not None and not draft.email]
    if drafts_without:
        named = [say("{tenant} (unit {unit})", tenant=draft.tenant, unit=draft.label) for draft in drafts_without]
        yield Finding(
            "noAddress",
            say_n(
                "{people} has no e-mail address, so the invoice must be handed over.",
                "{people} have no e-mail address, so their invoices must be handed over.",
                len(drafts_without),
                people=listed(named, write),
            ),
            say("Add the address before you send, or print the invoice."),
            len(drafts_without),
            tuple(draft.invoice_id for draft in drafts_without),
        )


def of_anothers(drafts: Iterable[Draft], of_another: Collection[str], write: Forms = PLAIN) -> Iterator[Finding]:
    """Report drafts that have custom charges and were first sent to another tenant.

    `of_another` contains the invoice ids of such drafts.
    """
    others_drafts = [draft for draft in drafts if draft.invoice_id in of_another]
    if others_drafts:
        units = listed([draft.label for draft in others_drafts], write)
        yield Finding(
            "anothersCharge",
            say_n(
                "The draft for unit {units} was sent to somebody else before, and has charges that were added by hand.",
                "The drafts for units {units} were sent to somebody else before, and have charges that were added by "
                "hand.",
                len(others_drafts),
                units=units,
            ),
            say("Check whether these charges are for the draft’s current tenant, and remove those that aren’t."),
            len(others_drafts),
            tuple(draft.invoice_id for draft in others_drafts),
        )


class DisputedInvoice(NamedTuple):
    """An invoice with open disputes: its id, its unit, and the disputed amount in cents."""

    invoice_id: str
    label: str
    amount: int


def of_disputes(disputed: Sequence[DisputedInvoice], currency: str, write: Forms = PLAIN) -> Iterator[Finding]:
    """Report the sum of the disputed amounts of a month's invoices, in one finding.

    >>> [found.message for found in of_disputes([DisputedInvoice("inv_1", "2B", 12_30)], "USD")]
    ['$12.30 of the invoice for unit 2B is disputed.']
    """
    if disputed:
        yield Finding(
            "disputed",
            say_n(
                "{money} of the invoice for unit {units} is disputed.",
                "{money} of the invoices for units {units} is disputed.",
                len(disputed),
                money=write.money(sum(disputed_invoice.amount for disputed_invoice in disputed), currency),
                units=listed([disputed_invoice.label for disputed_invoice in disputed], write),
            ),
            say("Answer the tenant, and correct any mistake before you send the same charge again."),
            len(disputed),
            tuple(disputed_invoice.invoice_id for disputed_invoice in disputed),
        )


def same_address(days: LineDays, units: Iterable[UnitRecord], write: Forms = PLAIN) -> Iterator[Finding]:
    """Report tenants with the same e-mail address and overlapping stays.

    Such a tenant may have been entered twice.

    >>> ann = TenantRecord("t1", "Ann", "ann@example.com", None, None)
    >>> twice = UnitRecord("u1", "1", None, None, None, None, "", (ann, ann._replace(tenant_id="t2", name="A. Lee")))
    >>> [found.message for found in same_address(of_month(Month("2026-03")), [twice])]
    ['Ann and A. Lee (unit 1) have the same e-mail address, and their stays overlap.']
    """
    for unit in units:
        by_address: dict[str, list[TenantRecord]] = defaultdict(list)
        for tenant in unit.tenants:
            if tenant.email and days.within(tenant.move_in, tenant.move_out):
                by_address[same(tenant.email)].append(tenant)
        for tenants in by_address.values():
            both = dict.fromkeys(
                tenant_record for pair in combinations(tenants, 2) if _overlap(*pair) for tenant_record in pair
            )
            if both:
                yield Finding(
                    "sameAddress",
                    say(
                        "{people} (unit {unit}) have the same e-mail address, and their stays overlap.",
                        people=listed([tenant_record.name for tenant_record in both], write),
                        unit=unit.label,
                    ),
                    say(
                        "If they are one person who was entered twice, set “People living here” to 0 in one of the "
                        "entries: where a rule divides by occupants, both count."
                    ),
                    len(both),
                    (unit.unit_id,),
                    to_check=False,
                )


def counted_together(
    days: LineDays, units: Iterable[UnitRecord], rules: Iterable[Rule], write: Forms = PLAIN
) -> Iterator[Finding]:
    """Report units where a tenant counts as several people and others live there too.

    A unit is reported if this is so on some of these `days`, because the same people may then be counted twice.
    Nothing is reported if none of the `rules` splits by people.

    >>> from fractions import Fraction
    >>> ann = TenantRecord("t1", "Ann", None, None, None, occupants=2)
    >>> unit = UnitRecord("u1", "4", None, None, None, None, "", (ann, ann._replace(name="Bob", occupants=1)))
    >>> by_people = Rule("WATER", "OCCUPANTS", {}, Fraction(0), Fraction(0))
    >>> [found.message for found in counted_together(of_month(Month("2026-03")), [unit], [by_people])]
    ['In unit 4, Ann counts as 2 people, and Bob lives there too: that makes 3. Is that right?']
    """
    if not any(divides_by_people(rule) for rule in rules):
        return
    for unit in units:
        there = [tenant for tenant in unit.tenants if tenant.occupants and days.within(tenant.move_in, tenant.move_out)]
        several = max(there, key=lambda tenant_record: tenant_record.occupants, default=None)
        if several is None or several.occupants == 1:
            continue
        others = [
            tenant_record
            for tenant_record in there
            if tenant_record is not several and _overlap(tenant_record, several)
        ]
        if others:
            people = several.occupants + sum(other.occupants for other in others)
            yield Finding(
                "countedTogether",
                say_n(
                    "In unit {unit}, {name} counts as {n} people, and {others} lives there too: that makes {people}. "
                    "Is that right?",
                    "In unit {unit}, {name} counts as {n} people, and {others} live there too: that makes {people}. "
                    "Is that right?",
                    len(others),
                    unit=unit.label,
                    name=several.name,
                    n=write.count(several.occupants),
                    others=listed([other.name for other in others], write),
                    people=write.count(people),
                ),
                say(
                    "“People living here” doesn’t include anyone who has a separate entry. If {name}’s number "
                    "includes them, lower it.",
                    name=several.name,
                ),
                people,
                (unit.unit_id,),
                to_check=False,
            )


def _overlap(tenant: TenantRecord, other: TenantRecord) -> bool:
    """True if two stays overlap by more than a moving day that both share."""
    starts = [day for day in (tenant.move_in, other.move_in) if day]
    ends = [day for day in (tenant.move_out, other.move_out) if day]
    return not (starts and ends) or max(starts) < min(ends)


def short_overlaps(
    month: Month, days: LineDays, units: Iterable[UnitRecord], write: Forms = PLAIN
) -> Iterator[Finding]:
    """Report tenants whose stays overlap for a few days before the earlier tenant leaves.

    These tenants are a household, which shares an invoice, unless one of the days is wrong.

    >>> ann = TenantRecord("t1", "Ann", None, None, date(2026, 3, 16))
    >>> bo = TenantRecord("t2", "Bo", None, date(2026, 3, 15), None)
    >>> unit = UnitRecord("u1", "1", None, None, None, None, "", (ann, bo))
    >>> [found.message for found in short_overlaps(Month("2026-03"), of_month(Month("2026-03")), [unit])]
    ['Ann and Bo (unit 1) overlap by 2 days, so they share one invoice, addressed to Bo.']
    """
    for unit in units:
        with_email = {tenant.tenant_id for tenant in unit.tenants if tenant.email}
        for tenant_record, other in permutations(unit.tenants, 2):
            shared = _both_there(tenant_record, other)
            if not 1 < shared <= SHORT_OVERLAP or not days.within(other.move_in, tenant_record.move_out):
                continue
            household = next(of for of in households(stays_of(unit, None)) if tenant_record.tenant_id in of.tenant_ids)
            to = addressee(month, household, with_email)
            name = next(tenant.name for tenant in unit.tenants if tenant.tenant_id == to)
            yield Finding(
                "shortOverlap",
                say(
                    "{people} (unit {unit}) overlap by {n} days, so they share one invoice, addressed to {name}.",
                    people=listed([tenant_record.name, other.name], write),
                    unit=unit.label,
                    n=write.count(shared),
                    name=name,
                ),
                say(
                    "If {first} left before {second} came, correct the date: then each pays for their own days.",
                    first=tenant_record.name,
                    second=other.name,
                ),
                shared,
                (unit.unit_id,),
            )


def _both_there(tenant: TenantRecord, other: TenantRecord) -> int:
    """Count the days on which both tenants were there, if `tenant` came and left first.

    Otherwise, the result is 0.
    """
    came, left = other.move_in, tenant.move_out
    if came is None or left is None or (tenant.move_in or date.min) >= came or (other.move_out or date.max) <= left:
        return 0
    return LineDays(came, left).number


def of_vacancies(facts: MonthFacts, write: Forms = PLAIN, *, to_check: bool = True) -> Iterator[Finding]:
    """Report units that were vacant on all days of a month's bills.

    A tenant may be missing in the records. `to_check` is False once the month's invoices are sent; the findings
    are then only for information.
    """
    seen = lines_by_kind(facts)
    there = {unit.unit_id: unit for one in seen.values() for _, _, units in one for unit in units}
    lived_in = {unit.unit_id for one in seen.values() for _, _, units in one for unit in units if not unit.is_vacant}
    vacant = [unit for unit_id, unit in there.items() if unit_id not in lived_in]
    if not vacant:
        return
    leave_out = {
        kind: rule.percent_by_people
        for kind in seen
        if (rule := facts.rules.get(kind)) and rule.leaves_vacant_out and lived_in
    }
    advice = say("If somebody lived there, add the tenant.")
    if leave_out:
        more = say("To pay for vacant units yourself, enter in these rules how many people are assumed in one.")
        advice = joined([advice, more])
    yield Finding(
        "vacant",
        _who_pays_for(vacant, leave_out, facts, write, utilities=len(seen)),
        advice,
        len(vacant),
        tuple(unit.unit_id for unit in vacant),
        to_check=to_check,
        advised_rules=tuple(leave_out),
    )


def _who_pays_for(
    vacant: Sequence[UnitDays], left_out: Mapping[str, Fraction], facts: MonthFacts, write: Forms, *, utilities: int
) -> Text:
    """State who pays for vacant units, the owner or the tenants of other units.

    For each utility in `left_out`, the tenants pay the given percentage, as its rule counts nobody in a vacant unit.
    The month's bills are for this number of `utilities`.
    """
    if not left_out:
        says = say_n(
            "Unit {units} was vacant {when}: the owner bears the cost of vacant units.",
            "Units {units} were vacant {when}: the owner bears the cost of vacant units.",
            len(vacant),
        )
        return says.format(units=labels(vacant, write), when=when(facts, write))
    says = say_n("Unit {units} was vacant {when}.", "Units {units} were vacant {when}.", len(vacant))
    told = [says.format(units=labels(vacant, write), when=when(facts, write))]
    wholly, partly = (
        [within_a_sentence(kind) for kind, percent in left_out.items() if (percent == _HUNDRED) == is_whole]
        for is_whole in (True, False)
    )
    if wholly:
        form = say("The rules for {utilities} count people, and nobody there, so the tenants pay for vacant units too.")
        told.append(form.format(utilities=listed(wholly, write)))
    if partly:
        form = say(
            "The rules for {utilities} divide a part by people, and count nobody there, so the tenants pay that part "
            "for vacant units too."
        )
        told.append(form.format(utilities=listed(partly, write)))
    if len(wholly) < utilities:
        told.append(say("The owner bears the rest of the cost."))
    return joined(told)
