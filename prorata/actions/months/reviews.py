"""The review of a property-month before its invoices are sent: sums, checks and corrections."""

from collections.abc import Sequence
from typing import NamedTuple

from prorata.actions.accounts import access, accounts as account_actions
from prorata.actions.months import checks
from prorata.actions.months.sums import MonthSums
from prorata.actions.recalculation.loaded_months import basis, load_or_empty, month_named
from prorata.domain.accounts.settings import late_in_words
from prorata.domain.groups import grouped
from prorata.domain.invoice_states import STATUSES
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.months import findings as month_findings
from prorata.domain.months.findings import Finding
from prorata.domain.splitting.month_facts import MonthFacts
from prorata.domain.splitting.stays import households_of, of_month
from prorata.store.audit.audit import Caller
from prorata.store.bills import bills
from prorata.store.database.engine import Tx
from prorata.store.months import reviews as month_reviews
from prorata.store.months.reviews import ReviewedInvoice
from prorata.store.properties import units
from prorata.store.properties.properties import PropertyRow


class StatusTotal(NamedTuple):
    """The number of a month's invoices that have a status, and their total in cents."""

    status: str
    invoices: int
    total: int


class MonthInvoice(NamedTuple):
    """An invoice of a month, with the label of its unit."""

    row: ReviewedInvoice
    label: str


class MonthReview(NamedTuple):
    """Everything about a property-month to look at before its invoices are sent.

    `sums` are the sums of the month's bills. With `is_history`, the month is before billing starts and has no
    invoices. With `is_to_wait`, a check keeps the month from being sent automatically. `knows_usual` is set if enough
    earlier months have bills to detect missing ones. `was_sent` is set if any of the invoices was ever sent, even if
    all are drafts again.

    `to_send` counts the drafts for tenants; those of vacant units are the owner's, and stay drafts. `to_address` is
    the tenant whose address is missing, if there is just one. `late` is the account's setting for bills that arrive
    after the month is closed, in words. `corrects` is set if a person should look at the corrections that the month
    carries. `by_hand` is the part of `sums.further`, in cents, that consists of custom charges.
    """

    property: PropertyRow
    month: str
    is_closed: bool
    is_history: bool
    sums: MonthSums
    statuses: tuple[StatusTotal, ...]
    findings: tuple[Finding, ...]
    to_send: int
    is_to_wait: bool
    knows_usual: bool
    was_sent: bool
    invoices: tuple[MonthInvoice, ...]
    to_address: str | None
    late: str
    settles: bool = False
    corrects: bool = False
    by_hand: int = 0


def review(tx: Tx, caller: Caller, property_id: str, month: str, write: Forms = PLAIN) -> MonthReview:
    """Load everything about a month to look at before sending; `write` formats amounts and days.

    A closed month is shown as it was at closing. This takes about twenty SQL statements for any number of units and
    bills. Raises `NotFound` if there is no such property, and `InvalidRequest` if the month is invalid.
    """
    of_property = access.property_(tx, caller, property_id)
    named = month_named(month)
    loaded = load_or_empty(tx, of_property, named)
    account = account_actions.the_account(tx, caller)
    (checked,) = checks.of_loaded(tx, caller, [loaded], account.late_bills, write)
    rows, drafts, findings = checked.invoices, checked.drafts, checked.findings
    return MonthReview(
        property=of_property,
        month=named,
        is_closed=loaded.row.is_closed,
        is_history=not loaded.property.bills_month(named),
        sums=checked.sums,
        statuses=_statuses(rows),
        findings=findings,
        to_send=sum(draft.tenant is not None for draft in drafts),
        is_to_wait=month_findings.waits_for_somebody(findings),
        knows_usual=checked.knows_usual,
        was_sent=loaded.row.first_closed_at is not None,
        invoices=tuple(MonthInvoice(row, loaded.property.units[row.unit_id].label) for row in rows),
        to_address=_to_address(tx, caller, findings, rows),
        late=late_in_words(account.late_bills),
        settles=bool(loaded.row.settles),
        corrects=_corrects_for_a_person(tx, caller, basis(loaded).facts),
        by_hand=month_reviews.added_by_hand(tx, account.id, of_property.id, named) if checked.sums.further else 0,
    )


def _corrects_for_a_person(tx: Tx, caller: Caller, facts: MonthFacts) -> bool:
    """True if a person should look at the corrections that a month carries.

    A person should do so if a correction is for a household that no longer lives in its unit, or for a bill that a
    person changed.
    """
    if not facts.corrections:
        return False
    days = of_month(facts.month)
    there = {
        stay.tenant_id
        for unit in facts.units
        for household in households_of(unit)
        if household.days_among(days)
        for stay in household.stays
    }
    bill_ids = sorted({correction.bill_id for correction in facts.corrections})
    has_left = any(correction.tenant_id not in there for correction in facts.corrections)
    return has_left or bills.any_corrected(tx, caller.account_id, bill_ids)


def _to_address(tx: Tx, caller: Caller, findings: Sequence[Finding], rows: Sequence[ReviewedInvoice]) -> str | None:
    """Return the id of the tenant whose address is missing, if there is just one."""
    named = [finding.records[0] for finding in findings if finding.kind == "noAddress" and len(finding.records) == 1]
    whose = next((row.tenant_id for row in rows if row.id in named), None)
    tenant = units.find_tenant(tx, caller.account_id, whose) if whose else None
    return tenant.id if tenant else None


def _statuses(rows: Sequence[ReviewedInvoice]) -> tuple[StatusTotal, ...]:
    by_status = grouped((row.status, row.total) for row in rows)
    return tuple(
        StatusTotal(status, len(by_status[status]), sum(by_status[status])) for status in STATUSES if by_status[status]
    )
