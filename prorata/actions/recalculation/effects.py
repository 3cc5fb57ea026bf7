"""What a change of a property would do to its months in money, before anything is written."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from prorata.actions.recalculation import month_loader
from prorata.actions.recalculation.month_loader import PropertyFacts
from prorata.domain.splitting.effects import Effect, effect
from prorata.domain.splitting.month_facts import from_json
from prorata.store.database.engine import Tx
from prorata.store.properties.properties import PropertyRow
from prorata.store.recalculation.billing_months import MonthRow


class MonthEffect(NamedTuple):
    """What a change would do to a month: to its drafts, or, where it is closed, to what was sent if it was reopened."""

    month: str
    is_closed: bool
    effect: Effect


class Effects(NamedTuple):
    """What a change would do to months of a property, whose facts are those of before it."""

    property: PropertyFacts
    months: Sequence[MonthEffect]


def of_change(
    tx: Tx,
    row: PropertyRow,
    months: Sequence[MonthRow],
    change: Callable[[PropertyFacts], PropertyFacts],
    utility_type: str | None = None,
) -> Effects:
    """What a change of a property's facts would do to these months, by the lines of one utility type or of all. Writes
    and locks nothing.
    """
    now = month_loader.load(tx, row.account_id, [row])[row.id]
    lines = month_loader.lines_by_month(tx, row.account_id, [row.id], sorted(month.month for month in months))
    then, found = change(now), []
    for month in months:
        billed = lines.get((row.id, month.month), []) if now.bills_month(month.month) else []
        its = [line for line in billed if utility_type is None or line.utility_type == utility_type]
        before, after = (facts.of_month(month.month, its, month.first_closed_at) for facts in (now, then))
        if month.snapshot is not None and from_json(month.snapshot).is_former:
            before, after = (
                facts.as_before(of_month, month.first_closed_at) for facts, of_month in ((now, before), (then, after))
            )
        found.append(MonthEffect(month.month, month.is_closed, effect(before, after)))
    return Effects(now, found)
