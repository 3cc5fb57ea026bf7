"""Bills: adding, reading with their lines, changing, correcting and removing.

See docs/decisions.md#bills-by-the-api.
"""

from collections.abc import Iterator, Mapping, Sequence

from prorata.actions.accounts import access
from prorata.actions.bills import bills, corrections, entries, flags, late_bills, whole_bills
from prorata.actions.bills.lists import Wish
from prorata.actions.bills.whole_bills import WholeBill
from prorata.actions.delivery import tenant_visible_bills
from prorata.actions.invoices import previews
from prorata.domain.bills import line_names
from prorata.domain.bills.forms import BillForm
from prorata.domain.money import in_figures
from prorata.domain.number_parsing import written_plainly
from prorata.domain.problems import Problem
from prorata.domain.usage import Usage, from_text
from prorata.store.audit.audit import Caller
from prorata.store.bills.bills import LineRow
from prorata.store.bills.flags import FlagRow
from prorata.store.database.engine import Tx
from prorata.web.api.bills.bill_forms import form_of, kinds_of
from prorata.web.api.bills.bill_schemas import (
    Bill,
    BillChange,
    BillCorrection,
    BillCreate,
    BillFlag,
    BillLine,
    BillsQuery,
    BillUsage,
    CorrectedLine,
    LateBill,
)
from prorata.web.api.examples import BILL_CORRECTED, BILL_SENT
from prorata.web.http.field_names import named_as_in
from prorata.web.http.operations import Call, operation
from prorata.web.http.request_schemas import cents_of, given, sent_fields
from prorata.web.http.response_schemas import Message, Page, part_of

_AMOUNT_NEEDED = "Enter the correct amount of this line."
_CLOSED = "The bill has been charged in a month that was sent; the message says what to do."


def read(tx: Tx, caller: Caller, bill_id: str) -> Bill:
    """Read a bill in the API's format.

    Raises `NotFound` if there is no such bill.
    """
    return _shown(whole_bills.find(tx, caller, bill_id))


def _shown(whole: WholeBill) -> Bill:
    summary, row = whole.summary, whole.row
    usages, names = dict(from_text(row.usage)), dict(line_names.from_text(row.line_names))
    return Bill(
        id=row.id,
        property_id=row.property_id,
        issuer_name=row.issuer_name,
        total_amount_due=in_figures(row.total),
        bill_date=row.bill_date,
        due_date=row.due_date,
        billing_month=row.chosen_month,
        payment_status=row.payment_status,  # type: ignore[arg-type]
        account_number=row.account_number,
        bill_number=row.bill_number,
        service_period_start=row.service_start,
        service_period_end=row.service_end,
        notes=row.notes,
        guessed=bool(row.guessed),
        waiting=bool(summary.waiting),
        held=bool(summary.held),
        corrected=bool(row.corrected),
        tenants_see_it=whole.tenants_see_it,
        lines=[_line(line, usages, names) for line in whole.lines],
        flags=[_flag(flag) for flag in whole.flags],
        flags_mark=flags.mark_of(still)
        if (still := [flag for flag in whole.flags if flag.accepted_at is None])
        else None,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def _line(row: LineRow, usages: Mapping[str, Usage], names: Mapping[str, str]) -> BillLine:
    usage = usages.get(row.utility_type or "")
    return BillLine(
        line=row.number,
        month=row.month,
        utility_type=row.utility_type,  # type: ignore[arg-type]
        not_billed=row.not_billed,  # type: ignore[arg-type]
        amount=in_figures(row.amount),
        owner_amount=in_figures(row.owner_amount),
        charged=bool(row.charged),
        usage=shown_usage(usage) if usage else None,
        name=names.get(row.utility_type or ""),
    )


def shown_usage(usage: Usage) -> BillUsage:
    """Convert a line's usage to the API's format."""
    price = None if usage.price is None else written_plainly(usage.price, ".")
    return BillUsage(used=written_plainly(usage.used, "."), unit=usage.unit, price=price)


def _flag(row: FlagRow) -> BillFlag:
    return BillFlag(
        number=row.number,
        kind=row.kind,  # type: ignore[arg-type]
        message=row.message,
        bill_ids=row.about.split(";") if row.about else [],
        mark=flags.mark_of([row]),
        found_at=row.found_at,
        accepted_at=row.accepted_at,
        reason=row.reason,
    )


@operation(
    "POST", "/properties/{propertyId}/bills", summary="Add a bill", body=BillCreate, answer=Bill, status=201,
    missing=("property",), moves=previews.of_property, example=BILL_SENT,
    conflict="The property would have too many open months.",
)  # fmt: skip
def create_bill(call: Call[None, BillCreate]) -> Bill:
    """Add a bill, even if it resembles a stored one.

    The answer's `flags` are the warnings about the bill. A bill with flags is charged to tenants like any other,
    unless the account's settings require that it is `held` until the flags are accepted.
    """
    of = access.property_(call.tx, call.caller, call.path["propertyId"])
    form = form_of(BillForm(of.id, "", "", "", ()), call.body, of.country)
    return read(call.tx, call.caller, entries.enter_unseen(call.tx, call.caller, form).id)


_FILTERS = {"property_id": "property", "month": "month", "status": "status", "from_": "since", "to": "until"}


def _wish(query: BillsQuery) -> Wish:
    sent = sent_fields(query)
    named = {column: sent[name] for name, column in _FILTERS.items() if name in sent}
    for name in ("held", "waiting", "flagged"):
        if name in sent:
            named[name if sent[name] else f"not {name}"] = name
    return Wish(named, sent.get("q"))


@operation("GET", "/bills", at_once=True, summary="List bills", query=BillsQuery, answer=Page[Bill])
def list_bills(call: Call[BillsQuery, None]) -> Page[Bill]:
    """List your bills with lines and flags, newest bill date first."""
    query = call.query
    bills_found = whole_bills.listed(call.tx, call.caller, _wish(query), query.window)
    return part_of([_shown(row) for row in bills_found.rows], bills_found, query)


@operation("GET", "/bills/{id}", at_once=True, summary="Read a bill", answer=Bill, missing=("utility bill",))
def read_bill(call: Call[None, None]) -> Bill:
    """Read a bill with its lines, service days and flags."""
    return read(call.tx, call.caller, call.path["id"])


@operation(
    "PATCH", "/bills/{id}", summary="Change a bill", body=BillChange, answer=Bill, missing=("utility bill",),
    moves=previews.of_bill, conflict=_CLOSED, example={"dueDate": "2026-04-04"},
)  # fmt: skip
def change_bill(call: Call[None, BillChange]) -> Bill:
    """Change a bill.

    Once the bill was charged in a closed month, you can change only fields that do not affect charges: payment
    dates, numbers, notes, and whether tenants can see the bill's file. To change an amount, use `POST
    /bills/{id}/correct`.
    """
    bill_id = call.path["id"]
    before = entries.form_of(call.tx, call.caller, bill_id)
    country = access.property_(call.tx, call.caller, before.property_id).country
    entries.change(call.tx, call.caller, bill_id, form_of(before, call.body, country))
    if (is_shown := given(call.body.tenants_see_it)) is not None:
        tenant_visible_bills.choose(call.tx, call.caller, bill_id, is_shown=is_shown)
    return read(call.tx, call.caller, bill_id)


@operation(
    "DELETE", "/bills/{id}", summary="Remove a bill", answer=Message, missing=("utility bill",),
    moves=previews.of_bill, conflict=_CLOSED,
)  # fmt: skip
def delete_bill(call: Call[None, None]) -> Message:
    """Remove a bill and its charges.

    A bill that was charged in a closed month can't be removed; correct its total to 0.00 instead.
    """
    bills.remove(call.tx, call.caller, call.path["id"])
    return Message(message="The bill has been removed.")


def _usages(lines: Sequence[CorrectedLine]) -> Iterator[str]:
    """Yield each line's usage as text, in the form that the parser of usages expects."""
    for kind, bill_line_sent in zip(kinds_of(lines), lines, strict=True):
        if usage := given(bill_line_sent.usage):
            price = f" @ {usage.price}" if given(usage.price) else ""
            yield f"{kind}={usage.used} {usage.unit}{price}"


@operation(
    "POST", "/bills/{id}/correct", summary="Correct a bill", body=BillCorrection, answer=Bill, status=200,
    missing=("utility bill",), moves=previews.of_bill, example=BILL_CORRECTED,
    conflict="The bill is held, or was charged in a month that was closed before corrections were kept.",
)  # fmt: skip
def correct_bill(call: Call[None, BillCorrection]) -> Bill:
    """Correct a bill's amounts, even after the bill was charged.

    Sent invoices stay as they are. Each household's difference becomes a correction, which the next invoice
    carries automatically or after `POST /properties/{propertyId}/corrections`. If you send `usage` with a line,
    the line's usage is corrected as well; if you change a line's amount without `usage`, the stored price per unit
    of measure is removed. The names of lines stay as they are.
    """
    bill_id, body = call.path["id"], call.body
    sent = [given(line.amount) for line in body.lines]
    missing = [Problem(f"lines[{at}].amount", _AMOUNT_NEEDED) for at, amount in enumerate(sent) if amount is None]
    kinds = kinds_of(body.lines, missing)
    amounts = {kind: cents_of(amount or "") for kind, amount in zip(kinds, sent, strict=True)}
    usages = corrections.read_usages([*_usages(body.lines)])
    total = cents_of(body.total_amount_due)
    with named_as_in(BillCorrection, {"lines": "amounts"}):
        corrections.correct(call.tx, call.caller, bill_id, total, amounts, usages=usages)
    return read(call.tx, call.caller, bill_id)


@operation(
    "POST", "/bills/{id}/settle", summary="Bill a late bill", body=LateBill, answer=Bill, status=200,
    missing=("utility bill",), moves=previews.of_bill, conflict="The bill isn't waiting for a month.",
    example={"month": "2026-04"},
)  # fmt: skip
def settle_bill(call: Call[None, LateBill]) -> Bill:
    """Bill a late bill in an open month.

    The bill still covers the days of its service period or, if it has none, of its original billing month.
    """
    late_bills.settle(call.tx, call.caller, call.path["id"], given(call.body.month) or late_bills.NEXT_OPEN)
    return read(call.tx, call.caller, call.path["id"])
