"""Months: listing, reviewing and sending."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET

from prorata.actions.accounts import access, accounts
from prorata.actions.limits import MOST_MONTHS_CHECKED
from prorata.actions.months import checks, lists, reviews, runs, sending
from prorata.actions.months.checks import Checked
from prorata.actions.months.lists import Wish
from prorata.actions.months.reviews import MonthReview
from prorata.actions.months.sums import MonthSums
from prorata.domain.billing_calendar import Month, is_in_reach, read_month
from prorata.domain.delivery.send_schedule import Leaving
from prorata.domain.groups import added_up
from prorata.domain.money import in_figures
from prorata.domain.months.findings import KEEPS_FROM_SENDING, Finding, named_by_kind
from prorata.errors import NotFound
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx, timestamp
from prorata.store.months.searches import PlacedMonth, Which
from prorata.web.api.bulk import invoice_changes
from prorata.web.api.examples import MONTH_SENT
from prorata.web.api.months import month_schemas as schemas
from prorata.web.api.months.month_schemas import MonthInFull, MonthInList, MonthSending, MonthSent, MonthsQuery
from prorata.web.http.operations import Call, operation
from prorata.web.http.request_schemas import given
from prorata.web.http.response_schemas import Page, page_of

_WHICH: Mapping[str | None, Which] = {
    None: "all", "OPEN": "open", "CLOSED": "closed", "DRAFTS": "drafts", "CORRECTIONS": "pending",
    "OTHER_CORRECTIONS": "otherwise", "MISSING_FACTS": "missingFacts",
}  # fmt: skip
_NOTHING = "There is nothing for this property in this month."


@operation("GET", "/months", at_once=True, summary="List months", query=MonthsQuery, answer=Page[MonthInList])
def list_months(call: Call[MonthsQuery, None]) -> Page[MonthInList]:
    """List a page of the months that have invoices, across all properties, newest first.

    `state=DRAFTS` lists months that can be sent; `details=true` adds each month's totals and checks.
    """
    query = call.query
    month = Month(query.month) if query.month is not UNSET else None
    wish = Wish(_WHICH[given(query.state)], month, given(query.q) or "", property_id=given(query.property_id))
    rows, total = lists.numbered(call.tx, call.caller, wish, limit=query.limit, offset=query.offset)
    checked = _checked(call.tx, call.caller, rows) if query.details else {}
    return page_of([_listed(row, checked.get((row.property_id, row.month))) for row in rows], total, query)


@operation(
    "GET", "/properties/{propertyId}/months/{month}", at_once=True, summary="Read a month", answer=MonthInFull,
    missing=("property", "month"),
)  # fmt: skip
def read_month_in_full(call: Call[None, None]) -> MonthInFull:
    """Read a month's totals and checks, and the number of drafts that can be sent.

    A closed month is shown as it was when it was closed.
    """
    month_review = reviews.review(call.tx, call.caller, *key_of(call))
    if not (month_review.sums.utilities or month_review.invoices or month_review.findings):
        raise NotFound("month", said=_NOTHING)
    by_itself = runs.of_month(call.tx, call.caller, month_review)
    return _in_full(month_review, by_itself, sending.mark_of(call.tx, call.caller, month_review))


@operation(
    "POST", "/properties/{propertyId}/months/{month}/send", summary="Send a month", body=MonthSending,
    answer=MonthSent, status=200, missing=("property", "month"), example=MONTH_SENT,
    conflict="The drafts or checks have changed since they were read, open checks have not been confirmed, or there "
             "is nothing to send.",
)  # fmt: skip
def send_month(call: Call[None, MonthSending]) -> MonthSent:
    """Send all of a month's drafts that have a tenant, or only chosen drafts.

    If anything has changed since you read the month, no invoice is sent. If checks are open, set `confirm` to
    state that a person has looked at them. To undo the sending, use `POST /invoice-changes/{id}/undo`; e-mails
    that have not been sent by then are withdrawn.
    """
    body = call.body
    sent = sending.send_as_read(
        call.tx, call.caller, *key_of(call), given(body.invoice_ids), mark=body.mark, is_confirmed=body.confirm,
        mail_held=call.mail_held,
    )  # fmt: skip
    fields = invoice_changes.fields_of(call, sent.change.id)
    return MonthSent(invoices=sent.invoices, **_ways(*sent.ways), **fields)


def _ways(by_mail: int, on_paper: int, leaves: Leaving, _had: int) -> dict[str, Any]:
    """Build the fields of the answer that state how and when invoices reach the tenants.

    `by_mail` and `on_paper` are numbers of invoices. If any invoices are e-mailed, `leaves` contains the time at
    which the e-mails are sent or saved to the outbox folder, and the reason why they wait or are only saved.
    """
    waits = leaves.waits if by_mail else None
    is_due = waits is None or leaves.is_saved
    leaves_at = timestamp(leaves.due) if by_mail and leaves.due and is_due else None
    return {"by_mail": by_mail, "on_paper": on_paper, "mail_leaves_at": leaves_at, "mail_waits": waits}


def key_of(call: Call[Any, Any]) -> tuple[str, Month]:
    """Return the property's id and the month that the request's path names.

    Raises `NotFound` if there is no such property, or if the month is invalid or out of reach.
    """
    its, month = access.property_(call.tx, call.caller, call.path["propertyId"]), read_month(call.path["month"])
    if month is None or not is_in_reach(month):
        raise NotFound("month", said=_NOTHING)
    return its.id, month


def _checked(tx: Tx, caller: Caller, rows: Sequence[PlacedMonth]) -> dict[tuple[str, str], Checked]:
    """Collect the checks of these months, a limited number of months at a time."""
    late_bills = accounts.the_account(tx, caller).late_bills
    keys = [(row.property_id, row.month) for row in rows]
    checks_by_month: dict[tuple[str, str], Checked] = {}
    for at in range(0, len(keys), MOST_MONTHS_CHECKED):
        checks_by_month |= checks.of_months(tx, caller, keys[at : at + MOST_MONTHS_CHECKED], late_bills)
    return checks_by_month


def _listed(row: PlacedMonth, checked: Checked | None) -> MonthInList:
    month = MonthInList(
        property_id=row.property_id,
        property_name=row.property_name,
        currency=row.currency,
        month=row.month,
        state="CLOSED" if row.is_closed else "OPEN",
        invoices=schemas.StatusNumbers(
            draft=row.draft, sent=row.sent, paid=row.paid, overdue=row.overdue, cancelled=row.cancelled
        ),
        invoiced=in_figures(row.billed),
        pending_changes=bool(row.pending),
        missing_facts=row.missing_count > 0,
    )
    if checked is not None:
        month.totals = _totals(checked.sums)
        numbers = added_up((finding.kind, finding.number) for finding in checked.to_check)
        month.checks = [
            schemas.CheckKind(kind=kind.kind, number=numbers[kind.kind], message=kind.says)
            for kind in named_by_kind(checked.to_check)
        ]
    return month


def _in_full(review: MonthReview, by_itself: str | None, mark: str) -> MonthInFull:
    numbers = {statuse.status.lower(): statuse.invoices for statuse in review.statuses}
    before = "HISTORY" if review.is_history else "OPEN"
    return MonthInFull(
        property_id=review.property.id,
        property_name=review.property.name,
        currency=review.property.currency,
        month=review.month,
        state="CLOSED" if review.is_closed else before,  # type: ignore[arg-type]
        invoices=schemas.StatusNumbers(**dict.fromkeys(schemas.StatusNumbers.__struct_fields__, 0) | numbers),
        totals=_totals(review.sums),
        checks=[_check(review, finding) for finding in review.findings],
        to_send=review.to_send,
        was_sent=review.was_sent,
        late_bills=review.late,
        runs_by_itself=by_itself,
        mark=mark,
    )


def _totals(sums: MonthSums) -> schemas.MonthTotals:
    return schemas.MonthTotals(
        bills=in_figures(sums.bills),
        billed=in_figures(sums.billed),
        further=in_figures(sums.further),
        corrections=in_figures(sums.corrections),
        corrections_waiting=in_figures(sums.waiting),
        vacant_units=in_figures(sums.vacant),
        own_part=in_figures(sums.owner),
        utilities=[
            schemas.UtilityTotals(
                utility_type=utility.utility_type,  # type: ignore[arg-type]
                bills=in_figures(utility.amount),
                tenants=in_figures(utility.tenants),
                corrections=in_figures(utility.corrections),
                vacant_units=in_figures(utility.vacant),
                own_part=in_figures(utility.owner),
            )
            for utility in sums.utilities
        ],
    )


def _check(review: MonthReview, finding: Finding) -> schemas.MonthCheck:
    return schemas.MonthCheck(
        kind=finding.kind,
        number=finding.number,
        message=finding.message,
        advice=finding.advice,
        to_check=finding.to_check,
        keeps_back=finding.kind in KEEPS_FROM_SENDING,
        record_ids=list(finding.records),
        path=_path(review, finding),
    )


_HOMES = {
    "held": "/bills", "flagged": "/bills", "missingBill": "/bills", "unusualAmount": "/bills", "guessed": "/bills",
    "waiting": "/bills", "missingFacts": "/units", "vacant": "/units", "tenantChange": "/units",
    "shortOverlap": "/units", "sameAddress": "/units", "countedTogether": "/units", "disputed": "/invoices",
    "anothersCharge": "/invoices",
}  # fmt: skip
"""The paths of the records that each check is about; a record's id is appended."""


def _path(review: MonthReview, finding: Finding) -> str | None:
    """Return the API path of the records that a check is about.

    If there is only one such record, it is the record's own path; otherwise, it is the path of a list that
    contains the records. Return None if the API has no path for them.
    """
    here = f"/properties/{review.property.id}"
    of_month = f"propertyId={review.property.id}&month={review.month}"
    if finding.rule:
        return f"{here}/sharerules"
    home = _HOMES.get(finding.kind)
    if home and len(finding.records) == 1:
        return f"{home}/{finding.records[0]}"
    listed = {
        "/bills": f"/bills?{of_month}", "/units": f"{here}/units", "/invoices": f"/invoices?{of_month}",
    }  # fmt: skip
    others = {
        "unconfirmed": "/documents",
        "noAddress": f"/tenants/{review.to_address}" if review.to_address else f"{here}/units",
        "pending": f"{here}/corrections?month={review.month}",
        "earlierCorrections": f"{here}/corrections",
        "disputed": f"/disputes?propertyId={review.property.id}",
    }
    return others.get(finding.kind) or (listed[home] if home else None)
