"""Checks of months before their drafts are sent, and sending of months by programs.

A program can send a month only if the month is still as the program read it.
"""

from collections.abc import Sequence
from typing import NamedTuple

from prorata.actions.accounts import access, accounts as account_actions
from prorata.actions.bulk import bulk, bulk_questions
from prorata.actions.bulk.bulk import ShownBulk
from prorata.actions.bulk.bulk_questions import Ways
from prorata.actions.invoices import contents
from prorata.actions.limits import MOST_MONTHS_CHECKED
from prorata.actions.months import checks, reviews
from prorata.actions.months.reviews import MonthReview
from prorata.domain.billing_calendar import Month
from prorata.domain.bulk.verbs import BulkVerb
from prorata.domain.invoice_states import DRAFT
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.months.correction_findings import EARLIER_CORRECTIONS
from prorata.domain.months.findings import Finding, Named, named_by_kind
from prorata.domain.problems import Problem
from prorata.domain.texts import joined
from prorata.errors import Conflict, InvalidRequest
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.properties import properties


class MonthToLookAt(NamedTuple):
    """A property-month with open checks.

    `number` counts the checks, and `kinds` sums them up in words, by kind. `earlier` are the checks that concern
    corrections of earlier months.
    """

    property_id: str
    property_name: str
    month: Month
    number: int
    kinds: tuple[Named, ...]
    earlier: tuple[Finding, ...] = ()


class LookFirst(NamedTuple):
    """The months with open checks, and the numbers of checks and of properties.

    `unseen` is the number of months that were not checked because there are too many.
    """

    months: tuple[MonthToLookAt, ...]
    number: int
    properties: int
    unseen: int


def look_first(tx: Tx, caller: Caller, drafts: Sequence[tuple[str, str, str]], write: Forms = PLAIN) -> LookFirst:
    """Check the property-months of these drafts before they are sent; return those with open checks.

    Each draft's property and month come before its id. Other drafts of the months are not checked. The result is
    sorted by property name and month. Only the newest `MOST_MONTHS_CHECKED` months are checked.
    """
    keys, only = {(property_id, month) for property_id, month, _ in drafts}, {draft for *_, draft in drafts}
    its = sorted(keys, key=lambda key: (key[1], key[0]), reverse=True)
    late_bills = account_actions.the_account(tx, caller).late_bills
    checked = checks.of_months(tx, caller, its[:MOST_MONTHS_CHECKED], late_bills, write, only=only)
    names = {row.id: row.name for row in properties.find_many(tx, caller.account_id, sorted({key[0] for key in its}))}
    months = tuple(
        MonthToLookAt(
            key[0],
            names[key[0]],
            Month(key[1]),
            len(checked_month.to_check),
            named_by_kind(checked_month.to_check, write),
            tuple(finding for finding in checked_month.to_check if finding.kind == EARLIER_CORRECTIONS),
        )
        for key in its[:MOST_MONTHS_CHECKED]
        if (checked_month := checked.get(key)) is not None and checked_month.to_check
    )
    in_order = sorted(months, key=lambda month_to_look_at: (month_to_look_at.property_name, month_to_look_at.month))
    number, of = sum(month.number for month in months), len({month.property_id for month in months})
    return LookFirst(tuple(in_order), number, of, max(len(its) - MOST_MONTHS_CHECKED, 0))


class MonthSent(NamedTuple):
    """A month that was or is being sent, with the numbers of invoices by delivery."""

    change: ShownBulk
    invoices: int
    ways: Ways


def mark_of(tx: Tx, caller: Caller, review: MonthReview) -> str:
    """Compute the mark that a program must send back to send a reviewed month.

    The mark differs if the drafts, their charges or recipients (`contents.fingerprint`), or the open checks have
    changed.
    """
    drafts = [invoice.row.id for invoice in review.invoices if invoice.row.status == DRAFT]
    to_check = [
        f"{finding.kind} {' '.join(finding.records)} {finding.message}"
        for finding in review.findings
        if finding.to_check
    ]
    return contents.fingerprint(tx, account_actions.the_account(tx, caller), drafts, *to_check)


def send_as_read(
    tx: Tx,
    caller: Caller,
    property_id: str,
    month: str,
    chosen: Sequence[str] | None,
    *,
    mark: str,
    is_confirmed: bool,
    mail_held: str | None = None,
) -> MonthSent:
    """Send a month's drafts for tenants, or the chosen ones, for a program.

    The month must still have the mark that the program read (`mark_of`), and the program must confirm the checks.
    Raises `NotFound` if there is no such property; `InvalidRequest` if a chosen invoice is not a draft for a tenant
    of the month; and `Conflict` if the mark differs, the checks are not confirmed, or there is nothing to send.
    """
    its = access.property_to_change(tx, caller, property_id)
    month_review = reviews.review(tx, caller, its.id, month)
    drafts = [
        invoice.row.id
        for invoice in month_review.invoices
        if invoice.row.status == DRAFT and invoice.row.tenant_id is not None
    ]
    if mark != mark_of(tx, caller, month_review):
        raise Conflict("The month's drafts or checks have changed since you read them. Read the month again.")
    if not drafts:
        raise bulk.nothing_to_send(its.name, month_review.month)
    to_check = [finding.message for finding in month_review.findings if finding.to_check]
    if to_check and not is_confirmed:
        raise Conflict(joined(["Someone must check the following; then send `confirm` as true:", *to_check]))
    wanted = drafts if chosen is None else list(dict.fromkeys(chosen))
    if strange := [at for at, invoice_id in enumerate(wanted) if invoice_id not in drafts]:
        message = "No draft for a tenant in this month has this id."
        raise InvalidRequest.because([Problem(f"invoiceIds[{at}]", message) for at in strange])
    ways = bulk_questions.ways_of(tx, caller, wanted, mail_held)
    return MonthSent(bulk.begin(tx, caller, BulkVerb.SEND, wanted), len(wanted), ways)
