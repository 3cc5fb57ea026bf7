"""The conditions under which a bill counts without review by a person.

The bill must be read completely and unambiguously, and it must resemble bills that somebody confirmed before. If a
condition is only nearly met, a person has to review the bill.
"""

from collections.abc import Collection, Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

from prorata.domain.intake.bill_reading.draft import Draft, Reading
from prorata.domain.search_terms import folded
from prorata.domain.utility_names import UTILITY_TYPES

FEWEST_BEFORE = 3
"""The minimum number of bills that vouch for an account number.

With fewer, nobody can tell what is usual for it.
"""
OLDEST = timedelta(days=120)
"""The maximum age of a bill on the day it arrives.

A person must look at an older bill, because it may have been sent by mistake.
"""
_NEEDED = ("issuer", "account_number", "bill_date", "total", "lines", "service_start", "service_end")
_MAY_BE_MISSING = ("bill_number", "due_date", "service_address")


class BillBefore(NamedTuple):
    """An earlier bill with the same account number as a new bill.

    The earlier bill vouches for the new one (`speaks`) if somebody confirmed it, and if it is neither held nor has
    unaccepted flags.
    """

    property_id: str
    issuer_name: str
    utility_types: tuple[str, ...]
    speaks: bool = True


def why_not_plain(draft: Draft, today: date) -> str | None:
    """Explain why a bill needs review before it counts; None if it needs no review.

    `draft` contains the values read from the bill. No review is needed if every required field was found, no field
    is doubtful, the bill is recent, there is no budget billing, and all lines are for utilities and sum to a total
    above zero.
    """
    readings: list[tuple[str, Reading[Any]]] = [(name, getattr(draft, name)) for name in (*_NEEDED, *_MAY_BE_MISSING)]
    for name, reading in readings:
        if reading.surety == "asked" or (reading.surety == "missing" and name in _NEEDED):
            return f"the {name.replace('_', ' ')} is not plain"
    assert draft.bill_date.value is not None, "it was found"
    lines = draft.lines.value or ()
    if draft.budget is not None:
        return "it is on budget billing"
    if not lines or any(line.name not in UTILITY_TYPES for line in lines):
        return "part of it is not for a utility"
    if sum(line.cents for line in lines) != draft.total.value or (draft.total.value or 0) <= 0:
        return "its lines do not come to a total above zero"
    if not today - OLDEST <= draft.bill_date.value <= today:
        return "it is not of these days"
    return None


def why_not_known(draft: Draft, before: Sequence[BillBefore], taught: Collection[str]) -> str | None:
    """Explain why an account number's earlier bills don't vouch for a draft.

    The result is None if the earlier bills, which are given latest first, vouch for it. They do if enough of them
    were confirmed, if all are for one property and from the draft's issuer, and if the latest ones have exactly the
    draft's utilities. In addition, the issuer must be in `taught`, the issuers from which a file was confirmed
    before (names as `folded` writes them).

    >>> from prorata.domain.intake.bill_reading.draft import UNREAD
    >>> why_not_known(UNREAD, [], ())
    'fewer than 3 bills of this account number were confirmed'
    """
    if sum(bill_before.speaks for bill_before in before) < FEWEST_BEFORE:
        return f"fewer than {FEWEST_BEFORE} bills of this account number were confirmed"
    issuer = folded(draft.issuer.value or "")
    if {folded(bill_before.issuer_name) for bill_before in before} != {issuer} or issuer not in taught:
        return "the issuer is new for this account number"
    if len({bill_before.property_id for bill_before in before}) > 1:
        return "bills of this account number are there for several properties"
    types = {line.name for line in draft.lines.value or ()}
    if any(set(bill_before.utility_types) != types for bill_before in before[:FEWEST_BEFORE]):
        return "it is for other utilities than the bills before it"
    return None
