"""Files of the inbox that nobody has confirmed yet, and that may be bills of a month that is to be sent."""

from collections import defaultdict

import msgspec

from prorata.domain.bill_reading.draft import Draft
from prorata.domain.documents import DRAFT, account_number_forms
from prorata.domain.months import Month, month_of, month_of_service
from prorata.store import bill_lookups, documents
from prorata.store.audit import Caller
from prorata.store.engine import Tx

MOST_FILES = 100
MOST_BILLS = 1_000


def number_for(tx: Tx, caller: Caller, property_id: str, month: Month) -> int:
    """How many of the newest files that wait to be confirmed may be bills of a property's month: those whose account
    number is known to be of it and that say no other month, and those of this month whose property is not known. Two
    statements.
    """
    rows = documents.page(tx, caller.account_id, [DRAFT], before="doc_~", limit=MOST_FILES)
    drafts = [msgspec.json.decode(row.draft, type=Draft) for row in rows if row.draft]
    numbers = sorted({form for draft in drafts for form in _numbers(draft)})
    known: dict[str, set[str]] = defaultdict(set)
    if numbers:
        for bill in bill_lookups.of_account_number(tx, caller.account_id, numbers, limit=MOST_BILLS):
            known[bill.account_number].add(bill.property_id)
    return sum(_may_be(draft, property_id, month, known) for draft in drafts)


def _may_be(draft: Draft, property_id: str, month: Month, known: dict[str, set[str]]) -> bool:
    of: set[str] = set().union(*(known.get(number, set()) for number in _numbers(draft)))
    named = _month(draft)
    return property_id in of and named in (None, month) if of else named == month


def _numbers(draft: Draft) -> list[str]:
    number = draft.account_number
    return [form for said in (number.value, *number.choices) if said for form in account_number_forms(said)]


def _month(draft: Draft) -> Month | None:
    """The month that a draft's dates name, as that of a bill is."""
    first, last = draft.service_start.value, draft.service_end.value
    if first and last and first <= last:
        return month_of_service(first, last)
    return month_of(draft.bill_date.value) if draft.bill_date.value else None
