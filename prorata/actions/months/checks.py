"""Checks of property-months before their invoices are sent, for one or many months."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from prorata.actions.months import inbox_blockers, sums as month_sums
from prorata.actions.months.inbox_blockers import Unconfirmed
from prorata.actions.months.sums import MonthKey, MonthSums
from prorata.actions.recalculation.corrections import first_open_after, open_months_in
from prorata.actions.recalculation.loaded_months import LoadedMonth, basis, with_facts, without_corrections
from prorata.domain.billing_calendar import Month, day_of, service_period
from prorata.domain.groups import added_up, grouped
from prorata.domain.invoice_states import DRAFT
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.months import correction_findings, findings as month_findings, tenant_findings
from prorata.domain.months.correction_findings import WaitingMonth
from prorata.domain.months.expected_bills import knows_what_is_usual, missing_bills
from prorata.domain.months.findings import Finding, PastLine
from prorata.domain.months.tenant_findings import DisputedInvoice, Draft
from prorata.domain.months.unusual_amounts import UNUSUAL_AMOUNT, Asked, months_compared, unusual_amounts
from prorata.domain.splitting.month_facts import MonthFacts
from prorata.store.audit.audit import Caller
from prorata.store.bills import flags as bill_flags, held_lines
from prorata.store.bills.flags import FlagRow
from prorata.store.database.engine import Tx
from prorata.store.invoices.disputed_amounts import disputed
from prorata.store.months import reviews as month_reviews
from prorata.store.months.reviews import LineBefore, ReviewedInvoice
from prorata.store.properties import properties
from prorata.store.recalculation import billing_months, waiting_corrections


class Checked(NamedTuple):
    """A property-month's checks, the most urgent first, with its invoices and drafts.

    `knows_usual` is set if enough earlier months have bills to detect missing ones. `sums` are the sums of the
    month's bills.
    """

    key: MonthKey
    findings: tuple[Finding, ...]
    invoices: Sequence[ReviewedInvoice]
    drafts: Sequence[Draft]
    knows_usual: bool
    sums: MonthSums

    @property
    def to_check(self) -> list[Finding]:
        """The checks that suggest that invoices are wrong."""
        return [finding for finding in self.findings if finding.to_check]


def of_months(
    tx: Tx, caller: Caller, keys: Sequence[MonthKey], late_bills: str, write: Forms = PLAIN,
    *, only: Collection[str] | None = None,
) -> dict[MonthKey, Checked]:  # fmt: skip
    """Check those of the given property-months that exist.

    `only` are the drafts to check, by default all of these months. This takes about twenty SQL statements for any
    number of months.
    """
    ids, months = sorted({key[0] for key in keys}), sorted({key[1] for key in keys})
    if not ids:
        return {}
    wanted = set(keys)
    property_rows = properties.find_many(tx, caller.account_id, ids)
    rows = [row for row in billing_months.find_many(tx, caller.account_id, ids, months) if row.key in wanted]
    loaded = with_facts(tx, caller.account_id, property_rows, rows)
    return {checked.key: checked for checked in of_loaded(tx, caller, loaded, late_bills, write, only)}


def of_loaded(
    tx: Tx, caller: Caller, loaded: Sequence[LoadedMonth], late_bills: str, write: Forms = PLAIN,
    only: Collection[str] | None = None,
) -> list[Checked]:  # fmt: skip
    """Check each loaded month, in the given order, with all its drafts or `only` these.

    A closed month is checked as it was at closing. The inbox is searched only if any of the months is open and has
    drafts.
    """
    if not loaded:
        return []
    account, ids = caller.account_id, sorted({loaded_month.row.property_id for loaded_month in loaded})
    months = sorted({loaded_month.row.month for loaded_month in loaded})
    compared: list[str] = sorted({of for month in months for of in months_compared(Month(month))})
    invoices = month_reviews.invoices_of_months(tx, account, ids, months)
    past = month_reviews.lines_of(tx, account, ids, compared)
    held = held_lines.of_months(tx, account, ids, compared)
    named = {line.bill_id for its in (*past.values(), *held.values()) for line in its if line.month in months}
    flags = bill_flags.of_bills(tx, account, sorted(named))
    flagged, asked = {row.bill_id for row in flags if row.accepted_at is None}, _asked(flags)
    drafted = [row.id for its in invoices.values() for row in its if row.status == DRAFT]
    of_another = month_reviews.charged_for_another(tx, account, drafted)
    in_question = disputed(tx, account, [row.id for its in invoices.values() for row in its])
    earlier = _waiting_earlier(
        tx,
        account,
        [loaded_month for loaded_month in loaded if loaded_month.row.draft and not loaded_month.row.is_closed],
    )
    accounts = month_sums.of_months(tx, account, loaded, invoices)
    inbox = None
    reviews = []
    for loaded_month in loaded:
        rows, before = invoices[loaded_month.row.key], set(months_compared(Month(loaded_month.row.month)))
        to_send = [row for row in rows if row.status == DRAFT and (only is None or row.id in only)]
        drafts = [_draft(loaded_month, row) for row in to_send]
        unconfirmed = Unconfirmed(0, 0)
        if drafts and not loaded_month.row.is_closed:
            inbox = inbox or inbox_blockers.read(tx, caller, ids)
            unconfirmed = inbox.for_month(loaded_month.property.property, Month(loaded_month.row.month))
        bills = _Bills(
            [line for line in past[loaded_month.row.property_id] if line.month in before],
            [line for line in held[loaded_month.row.property_id] if line.month in before],
            flagged,
            asked,
            unconfirmed,
        )
        findings = [
            *tenant_findings.of_anothers(drafts, of_another, write),
            *_disputed(loaded_month, rows, in_question, write),
            *correction_findings.of_earlier(
                earlier.get(loaded_month.row.key, ()), loaded_month.property.property.currency, write
            ),
            *_findings(loaded_month, basis(loaded_month).facts, drafts, bills, late_bills, write),
        ]
        usual = knows_what_is_usual(Month(loaded_month.row.month), _past([*bills.counted, *bills.held]))
        reviews.append(
            Checked(loaded_month.row.key, tuple(findings), rows, drafts, usual, accounts[loaded_month.row.key])
        )
    return reviews


def _waiting_earlier(tx: Tx, account_id: str, loaded: Sequence[LoadedMonth]) -> dict[MonthKey, list[WaitingMonth]]:
    """Map open months to the earlier months whose pending corrections they would carry."""
    ids = sorted({month.row.property_id for month in loaded})
    waiting = waiting_corrections.by_month(tx, account_id, ids) if ids else []
    if not waiting:
        return {}
    months = open_months_in(tx, account_id, sorted({row.property_id for row in waiting}))
    carried = ((row, first_open_after(row.month, months.get(row.property_id, ()))) for row in waiting)
    return grouped(
        ((row.property_id, carrier), WaitingMonth(Month(row.month), row.corrections, row.more, row.less))
        for row, carrier in carried
        if carrier
    )


def _asked(flags: Sequence[FlagRow]) -> Mapping[str, Sequence[Asked]]:
    """Map bill ids to the bills' flags for unusual amounts, whether accepted or open."""
    return grouped(
        (row.bill_id, Asked(row.message, of_bill=bool(row.about))) for row in flags if row.kind == UNUSUAL_AMOUNT
    )


class _Bills(NamedTuple):
    """The bills of a month and of the months compared with it.

    `counted` are the lines of bills that are not held, and `held` those of held bills. `flagged` are the bills with
    open flags, and `asked` maps bills to their flags for unusual amounts. `inbox` counts the inbox items that may be
    bills of the month.
    """

    counted: Sequence[LineBefore]
    held: Sequence[LineBefore]
    flagged: set[str]
    asked: Mapping[str, Sequence[Asked]]
    inbox: Unconfirmed


def _disputed(
    loaded: LoadedMonth, rows: Sequence[ReviewedInvoice], in_question: Mapping[str, int], write: Forms
) -> Iterator[Finding]:
    units = loaded.property.units
    disputed_invoices = [
        DisputedInvoice(row.id, units[row.unit_id].label, in_question[row.id]) for row in rows if row.id in in_question
    ]
    return tenant_findings.of_disputes(disputed_invoices, loaded.property.property.currency, write)


def _draft(loaded: LoadedMonth, row: ReviewedInvoice) -> Draft:
    return Draft(row.id, loaded.property.units[row.unit_id].label, row.tenant_name, row.tenant_email, row.total)


def _past(rows: Sequence[LineBefore]) -> list[PastLine]:
    return [
        PastLine(
            row.bill_id, Month(row.month), row.utility_type, row.amount, row.issuer_name, row.account_number or "",
            service_period(day_of(row.service_start), day_of(row.service_end)), row.days,
        )
        for row in rows
    ]  # fmt: skip


def _findings(
    loaded: LoadedMonth, facts: MonthFacts, drafts: Sequence[Draft], bills: _Bills, late_bills: str, write: Forms
) -> list[Finding]:
    """List all checks of a month; those that suggest wrong invoices come first."""
    month, currency, days = facts.month, facts.currency, month_findings.days_of(facts)
    past = _past(bills.counted)
    is_closed = loaded.row.is_closed
    late = [
        line
        for line, row in zip(past, bills.counted, strict=True)
        if is_closed and line.month == month and not row.charged
    ]
    held = added_up((line.bill_id, line.amount) for line in bills.held if line.month == month)
    of_month = dict.fromkeys(line.bill_id for line in bills.counted if line.month == month)
    by_label = {unit.label: unit for unit in loaded.property.units.values()}
    drafted = [] if is_closed else [by_label[label] for label in dict.fromkeys(draft.label for draft in drafts)]
    findings = [
        *month_findings.of_closed(
            late, month, currency, pending=bool(loaded.row.pending), settles=bool(loaded.row.settles), write=write
        ),
        *month_findings.of_flags(
            list(held.items()), [bill_id for bill_id in of_month if bill_id in bills.flagged], currency, write
        ),
        *month_findings.of_inbox(*bills.inbox, write),
        *missing_bills(month, [*past, *_past(bills.held)], write, late_bills, is_closed=is_closed),
        *unusual_amounts(month, [line for line in past if line not in late], currency, write, bills.asked),
        *month_findings.of_facts(facts, write),
        *tenant_findings.of_vacancies(without_corrections(loaded.now), write, to_check=not is_closed),
        *tenant_findings.tenant_changes(month, days, drafted, write),
        *tenant_findings.short_overlaps(month, days, drafted, write),
        *tenant_findings.same_address(days, drafted, write),
        *tenant_findings.counted_together(days, drafted, month_findings.rules_at_work(facts), write),
        *tenant_findings.without_address(drafts, write),
    ]
    return sorted(findings, key=lambda finding: not finding.to_check)
