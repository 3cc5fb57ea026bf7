"""What of tenants a person should look at before a month's invoices are sent."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from prorata.domain.billing_calendar import Month
from prorata.domain.labels import same
from prorata.domain.locale_forms import PLAIN, Forms, counted
from prorata.domain.months.findings import NAMED, Finding, listed
from prorata.domain.splitting.month_facts import Span, TenantRecord, UnitRecord, spans
from prorata.domain.splitting.stays import LineDays, of_month


def tenant_changes(
    month: Month, days: LineDays, units: Iterable[UnitRecord], write: Forms = PLAIN
) -> Iterator[Finding]:
    """Units in which not the same people were there on all `days` that the bills of `month` are for: tenants changed,
    or a unit stood empty or was out of use for some. Each household pays for its own days, and empty days are the
    owner's.
    """
    found = [(unit, of_unit) for unit in units if len(of_unit := spans(unit, days)) > 1]
    if found:
        number = len(found)
        said = [f"Unit {unit.label}: {_in_spans(of_unit, write)}." for unit, of_unit in found[:NAMED]]
        more = [f"And {counted(number - NAMED, 'more unit', write)}."] if number > NAMED else []
        yield Finding(
            "tenantChange",
            f"In {counted(number, 'unit', write)} the tenants were not the same {_through(month, days, write)}. "
            + " ".join([*said, *more]),
            "Everybody pays for their own days, and days without anybody are your own cost. Where a day is wrong, "
            "correct it at the tenant.",
            number,
            tuple(unit.unit_id for unit, _ in found),
            to_check=False,
        )


def _through(month: Month, days: LineDays, write: Forms) -> str:
    if days == of_month(month):
        return f"all through {write.month(month)}"
    return f"on all days that its bills are for, {write.day(days.first)} to {write.day(days.last)}"


def _in_spans(of_unit: Sequence[Span], write: Forms) -> str:
    """Who was in a unit from which day to which."""
    said = []
    for at, (since, until, people) in enumerate(of_unit):
        who = "out of use" if people is None else listed(people, write) if people else "nobody"
        first, last = write.day(since), write.day(until)
        days = f"from {first} to {last}" if since < until else f"on {first}"
        said.append(f"{who} {f'until {last}' if not at else days if at < len(of_unit) - 1 else f'from {first}'}")
    return ", ".join(said)


class Draft(NamedTuple):
    """A draft invoice that sending would send: its unit, whom it is for, and its total in cents."""

    invoice_id: str
    label: str
    tenant: str | None
    email: str | None
    total: int


def without_address(drafts: Iterable[Draft], write: Forms = PLAIN) -> Iterator[Finding]:
    """Tenants to whom no message can go, as they have no e-mail address."""
    found = [draft for draft in drafts if draft.tenant is not None and not draft.email]
    if found:
        people = listed([f"{draft.tenant} (unit {draft.label})" for draft in found], write)
        yield Finding(
            "noAddress",
            f"{people} {'has' if len(found) == 1 else 'have'} no e-mail address: "
            f"{'the invoice is' if len(found) == 1 else 'their invoices are'} to be handed over.",
            "Add the address before you send, or print the invoice.",
            len(found),
            tuple(draft.invoice_id for draft in found),
        )


def of_anothers(drafts: Iterable[Draft], of_another: Collection[str], write: Forms = PLAIN) -> Iterator[Finding]:
    """Drafts that were sent to somebody else before, with charges that people added, by the ids of these invoices."""
    found = [draft for draft in drafts if draft.invoice_id in of_another]
    if found:
        units = listed([draft.label for draft in found], write)
        one = len(found) == 1
        yield Finding(
            "anothersCharge",
            f"The {'draft of unit' if one else 'drafts of units'} {units} {'was' if one else 'were'} sent to somebody "
            f"else before, and {'has' if one else 'have'} charges that were added by hand.",
            "Look whether they are for whom it is for now, and remove those that are not.",
            len(found),
            tuple(draft.invoice_id for draft in found),
        )


def same_address(days: LineDays, units: Iterable[UnitRecord], write: Forms = PLAIN) -> Iterator[Finding]:
    """Tenants of a unit with the same e-mail address whose stays overlap on `days`: perhaps one person, entered twice.

    >>> ann = TenantRecord("t1", "Ann", "ann@example.com", None, None)
    >>> twice = UnitRecord("u1", "1", None, None, None, None, "", (ann, ann._replace(tenant_id="t2", name="A. Lee")))
    >>> [found.message for found in same_address(of_month(Month("2026-03")), [twice])]
    ['Ann and A. Lee (unit 1) have the same e-mail address at the same time.']
    """
    for unit in units:
        by_address: dict[str, list[TenantRecord]] = defaultdict(list)
        for tenant in unit.tenants:
            if tenant.email and days.within(tenant.move_in, tenant.move_out):
                by_address[same(tenant.email)].append(tenant)
        for tenants in by_address.values():
            both = dict.fromkeys(one for pair in combinations(tenants, 2) if _overlap(*pair) for one in pair)
            if both:
                yield Finding(
                    "sameAddress",
                    f"{listed([one.name for one in both], write)} (unit {unit.label}) have the same e-mail address at "
                    "the same time.",
                    "Where they are one person who was entered twice, remove one entry: where a rule divides by "
                    "occupants, both count.",
                    len(both),
                    (unit.unit_id,),
                    to_check=False,
                )


def _overlap(one: TenantRecord, other: TenantRecord) -> bool:
    """Whether two were there on the same days, and not only one of them on the day on which the other moved."""
    starts = [day for day in (one.move_in, other.move_in) if day]
    ends = [day for day in (one.move_out, other.move_out) if day]
    return not (starts and ends) or max(starts) < min(ends)
