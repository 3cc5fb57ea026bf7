"""The checks before drafts are sent, and sending by a program of a reviewed month."""

from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

from prorata.actions.accounts import access, accounts as account_actions
from prorata.actions.bulk import bulk, bulk_questions
from prorata.actions.bulk.bulk import ShownBulk
from prorata.actions.bulk.bulk_questions import Ways
from prorata.actions.limits import MOST_MONTHS_CHECKED
from prorata.actions.months import checks, reviews
from prorata.actions.months.reviews import MonthReview
from prorata.actions.months.sums import MonthKey
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
    """A property-month with its checks by kind, and earlier months' corrections."""

    property_id: str
    property_name: str
    month: Month
    number: int
    kinds: tuple[Named, ...]
    earlier: tuple[Finding, ...] = ()


class LookFirst(NamedTuple):
    """The months with checks, and the number of checks and of their properties.

    `unseen` is the number of months that were not checked.
    """

    months: tuple[MonthToLookAt, ...]
    number: int
    properties: int
    unseen: int


def look_first(tx: Tx, caller: Caller, keys: Sequence[MonthKey], write: Forms = PLAIN) -> LookFirst:
    """List the checks of these property-months, newest first.

    At most `MOST_MONTHS_CHECKED` are checked.
    """
    its = sorted(set(keys), key=lambda key: (key[1], key[0]), reverse=True)
    late_bills = account_actions.the_account(tx, caller).late_bills
    checked = checks.of_months(tx, caller, its[:MOST_MONTHS_CHECKED], late_bills, write)
    names = {row.id: row.name for row in properties.find_many(tx, caller.account_id, sorted({key[0] for key in its}))}
    months = tuple(
        MonthToLookAt(
            key[0],
            names[key[0]],
            Month(key[1]),
            len(found.to_check),
            named_by_kind(found.to_check, write),
            tuple(one for one in found.to_check if one.kind == EARLIER_CORRECTIONS),
        )
        for key in its[:MOST_MONTHS_CHECKED]
        if (found := checked.get(key)) is not None and found.to_check
    )
    in_order = sorted(months, key=lambda one: (one.property_name, one.month))
    number, of = sum(one.number for one in months), len({one.property_id for one in months})
    return LookFirst(tuple(in_order), number, of, max(len(its) - MOST_MONTHS_CHECKED, 0))


class MonthSent(NamedTuple):
    """A month sent or being sent, with the number of invoices by way of delivery."""

    change: ShownBulk
    invoices: int
    ways: Ways


def mark_of(found: MonthReview) -> str:
    """Compute a short mark of a reviewed month, for a program that then sends it.

    It covers the drafts with their cents and tenants, and the open checks.
    """
    drafts = [f"{one.row.id} {one.row.total} {one.row.tenant_id}" for one in found.invoices if one.row.status == DRAFT]
    to_check = [f"{one.kind} {' '.join(one.records)} {one.message}" for one in found.findings if one.to_check]
    return sha256("\n".join([*sorted(drafts), "", *to_check]).encode()).hexdigest()[:32]


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
    """Send a month's drafts for tenants, or the chosen ones, as a program read them.

    The drafts and the checks must still be as they were read (`mark_of`), and the checks must be confirmed. Raises
    `NotFound` if there is no such property; `InvalidRequest` if a chosen invoice is not such a draft; and `Conflict` if
    something differs or is not confirmed, or if there is nothing to send.
    """
    its = access.property_to_change(tx, caller, property_id)
    found = reviews.review(tx, caller, its.id, month)
    drafts = [one.row.id for one in found.invoices if one.row.status == DRAFT and one.row.tenant_id is not None]
    if mark != mark_of(found):
        raise Conflict("The month's drafts or checks have changed since you read them. Read the month again.")
    if not drafts:
        raise bulk.nothing_to_send(its.name, found.month)
    to_check = [one.message for one in found.findings if one.to_check]
    if to_check and not is_confirmed:
        raise Conflict(joined(["Send `confirm` as true once somebody has looked at this:", *to_check]))
    wanted = drafts if chosen is None else list(dict.fromkeys(chosen))
    if strange := [at for at, one in enumerate(wanted) if one not in drafts]:
        said = "No draft for a tenant in this month has this id."
        raise InvalidRequest.because([Problem(f"invoiceIds[{at}]", said) for at in strange])
    ways = bulk_questions.ways_of(tx, caller, wanted, mail_held)
    return MonthSent(bulk.begin(tx, caller, BulkVerb.SEND, wanted), len(wanted), ways)
