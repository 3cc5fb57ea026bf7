"""Previews of how changed facts would affect the amounts of a property's months."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from prorata.actions.recalculation import loaded_months
from prorata.actions.recalculation.month_loader import PropertyFacts
from prorata.domain.splitting.effects import Effect, effect
from prorata.domain.splitting.month_facts import from_json
from prorata.store.database.engine import Tx
from prorata.store.properties.properties import PropertyRow
from prorata.store.recalculation import billing_months
from prorata.store.recalculation.billing_months import MonthRow

CLOSED_MONTHS_RECKONED = 12
"""The number of last closed months that are computed in addition to the open ones.

The pages state this number.
"""


class MonthEffect(NamedTuple):
    """The effect that changed facts would have on one month.

    For an open month, it is the effect on the month's drafts. For a closed month, it is the effect that reopening the
    month would have on its sent invoices.
    """

    month: str
    is_closed: bool
    effect: Effect


def months_reckoned(tx: Tx, row: PropertyRow) -> list[MonthRow]:
    """List a property's open months and latest closed months, earliest first."""
    months = sorted(billing_months.find_many(tx, row.account_id, [row.id]), key=lambda month: month.month)
    closed = [month.month for month in months if month.is_closed][-CLOSED_MONTHS_RECKONED:]
    return [month for month in months if not month.is_closed or month.month in closed]


def of_change(
    tx: Tx,
    row: PropertyRow,
    months: Sequence[MonthRow],
    change: Callable[[PropertyFacts], PropertyFacts],
    utility_type: str | None = None,
) -> list[MonthEffect]:
    """Compute the effect of changed facts on these months.

    Only lines of `utility_type` are compared, or all lines if it is None. Nothing is written or locked.
    """
    loaded = loaded_months.with_facts(tx, row.account_id, [row], months)
    if not loaded:
        return []
    then, effects = change(loaded[0].property), []
    for month in loaded:
        first_closed = month.row.first_closed_at
        before = month.now
        after = then.of_month(month.row.month, month.lines if before.lines else (), first_closed)
        if month.row.snapshot is not None and from_json(month.row.snapshot).is_former:
            before, after = month.property.as_before(before, first_closed), then.as_before(after, first_closed)
        if utility_type is not None:
            before, after = (
                facts._replace(lines=tuple(line for line in facts.lines if line.utility_type == utility_type))
                for facts in (before, after)
            )
        effects.append(MonthEffect(month.row.month, month.row.is_closed, effect(before, after)))
    return effects
