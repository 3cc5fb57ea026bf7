"""What to look at before drafts are sent: the checks of their months, by property and month."""

from collections.abc import Sequence
from typing import NamedTuple

from prorata.actions.accounts import accounts as account_actions
from prorata.actions.limits import MOST_MONTHS_CHECKED
from prorata.actions.months import checks
from prorata.actions.months.sums import MonthKey
from prorata.domain.billing_calendar import Month
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.months.correction_findings import EARLIER_CORRECTIONS
from prorata.domain.months.findings import Finding, Named, named_by_kind
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.properties import properties


class MonthToLookAt(NamedTuple):
    """A property-month with checks: how many, by kind, and those that are corrections of earlier months."""

    property_id: str
    property_name: str
    month: Month
    number: int
    kinds: tuple[Named, ...]
    earlier: tuple[Finding, ...] = ()


class LookFirst(NamedTuple):
    """The months with checks, how many checks in how many properties; `unseen` months were not looked through."""

    months: tuple[MonthToLookAt, ...]
    number: int
    properties: int
    unseen: int


def look_first(tx: Tx, caller: Caller, keys: Sequence[MonthKey], write: Forms = PLAIN) -> LookFirst:
    """The checks of these property-months, of `MOST_MONTHS_CHECKED` at the most, the newest first."""
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
