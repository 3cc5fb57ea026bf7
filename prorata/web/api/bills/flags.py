"""Acceptance of bill flags (one flag, one bill, many bills) and of unusual amounts."""

from prorata.actions.accounts import access
from prorata.actions.bills import flag_acceptances, flags, unusual_amounts
from prorata.actions.invoices import previews
from prorata.domain.billing_calendar import read_month
from prorata.errors import Conflict, NotFound
from prorata.web.api.bills.bill_schemas import (
    Bill,
    FlagAcceptance,
    FlagsAcceptance,
    FlagsAccepted,
    ManyFlagsAcceptance,
    UnusualAmountAcceptance,
)
from prorata.web.api.bills.bills import read
from prorata.web.api.examples import FLAG_ACCEPTED, FLAGS_ACCEPTED, UNUSUAL_ACCEPTED
from prorata.web.http.operations import Call, operation
from prorata.web.http.response_schemas import Message

_OTHERS = "The flags have changed in the meantime. Read the bill again, and send the new {mark}."


@operation(
    "POST", "/bills/{id}/flags/{number}/accept", summary="Accept a flag", body=FlagAcceptance, answer=Bill, status=200,
    missing=("utility bill", "flag"), moves=previews.of_bill, conflict="The flags have changed in the meantime.",
    example=FLAG_ACCEPTED,
)  # fmt: skip
def accept_flag(call: Call[None, FlagAcceptance]) -> Bill:
    """Accept a bill's flag with a reason.

    If the bill is held, it is charged to tenants once all of its flags are accepted.
    """
    number = call.path["number"]
    access.bill(call.tx, call.caller, call.path["id"])
    if not number.isascii() or not number.isdigit():
        raise NotFound("flag")
    try:
        flags.accept(call.tx, call.caller, call.path["id"], int(number[:9]), call.body.reason, call.body.mark)
    except flags.OtherFlags:
        raise Conflict(_OTHERS.format(mark="`mark` of the flag")) from None
    return read(call.tx, call.caller, call.path["id"])


@operation(
    "POST", "/bills/{id}/flags/accept", summary="Accept all flags of a bill", body=FlagsAcceptance, answer=Bill,
    status=200, missing=("utility bill",), moves=previews.of_bill, conflict="Different flags are open now.",
    example=FLAG_ACCEPTED,
)  # fmt: skip
def accept_flags_of_bill(call: Call[None, FlagsAcceptance]) -> Bill:
    """Accept all open flags of a bill with one reason.

    If the bill was held, it is charged to tenants from then on.
    """
    row = access.bill(call.tx, call.caller, call.path["id"])
    if flag_acceptances.accept_shown(call.tx, call.caller, {row.id: call.body.mark}, call.body.reason).left:
        raise Conflict(_OTHERS.format(mark="`flagsMark`"))
    return read(call.tx, call.caller, row.id)


@operation(
    "POST", "/bills/flags/accept", summary="Accept flags of many bills", body=ManyFlagsAcceptance,
    answer=FlagsAccepted, status=200, example=FLAGS_ACCEPTED,
)  # fmt: skip
def accept_flags_of_bills(call: Call[None, ManyFlagsAcceptance]) -> FlagsAccepted:
    """Accept all open flags of several bills with one reason.

    A bill whose open flags have changed since its `mark` was read is left unchanged and listed in `left`; the flags of
    the other bills are still accepted.
    """
    shown = {bill.bill_id: bill.mark for bill in call.body.bills}
    done = flag_acceptances.accept_shown(call.tx, call.caller, shown, call.body.reason)
    return FlagsAccepted(bills=done.bills, counting=done.counting, left=list(done.left))


@operation(
    "POST", "/properties/{propertyId}/months/{month}/unusual-amounts/accept", summary="Accept an unusual amount",
    body=UnusualAmountAcceptance, answer=Message, status=200, missing=("property", "month"),
    moves=previews.of_property, conflict="These bills no longer have an unusual amount.", example=UNUSUAL_ACCEPTED,
)  # fmt: skip
def accept_unusual_amount(call: Call[None, UnusualAmountAcceptance]) -> Message:
    """Accept an unusual total of a month's bills, as reported by the check `unusualAmount`.

    If some of these bills have an open flag for this amount, these flags are accepted as well.
    """
    of, body = access.property_(call.tx, call.caller, call.path["propertyId"]), call.body
    if (month := read_month(call.path["month"])) is None:
        raise NotFound("month")
    unusual_amounts.accept(call.tx, call.caller, of.id, month, body.bill_ids, body.reason)
    return Message(message="The amount has been accepted.")
