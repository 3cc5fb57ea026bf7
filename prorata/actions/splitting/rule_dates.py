"""Months from which a changed share rule may apply, with the effects of each choice.

The effects are those on the drafts of open months and on the sent invoices of closed months.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from prorata.actions.recalculation import effects
from prorata.actions.recalculation.effects import MonthEffect
from prorata.actions.recalculation.month_loader import PropertyFacts
from prorata.actions.splitting.share_rules import ShownVersion
from prorata.domain.billing_calendar import Month, months_back, next_month
from prorata.domain.splitting.rule_versions import ALWAYS, NEVER, end_of, in_force
from prorata.domain.splitting.share_rules import Rule
from prorata.store.database.engine import Tx
from prorata.store.properties.properties import PropertyRow
from prorata.store.recalculation.billing_months import MonthRow

CLOSED_MONTHS_OFFERED = 3
"""The number of last closed months that the form offers at first.

Earlier months are offered on request.
"""
MONTHS_AHEAD = 12
"""The number of months after the current one that are offered.

The form offers the first of them at once, and the others on request.
"""


class Reach(NamedTuple):
    """The number of months whose charges would change, and by how many cents in total."""

    months: int
    cents: int


class DateChoice(NamedTuple):
    """A month from which a changed rule may apply, and the effects of that choice.

    The month is `since`; None means to replace the newest version, which applies from `begins` on. `until` is the
    last month in which the change applies if a later version follows. `now` is the version that currently applies in
    the first month. `drafts` and `sent` are the effects on open and on closed months; they are None if the terms
    can't be used. `is_early` is set if the month was closed long ago, and `is_far` if it is months ahead.
    """

    since: str | None
    begins: str | None
    until: Month | None
    now: ShownVersion | None
    drafts: Reach | None
    sent: Reach | None
    is_proposed: bool = False
    is_early: bool = False
    is_far: bool = False

    @property
    def changes(self) -> bool:
        """True if the choice would change the charges of any month."""
        return any(reach is not None and reach.months for reach in (self.drafts, self.sent))


def proposed(tx: Tx, row: PropertyRow, versions: Sequence[ShownVersion]) -> str | None:
    """Propose the first month of a changed rule: the month after the last closed one.

    The result is None, which means to replace the newest version, if no month is closed or if that version already
    begins in the proposed month.
    """
    closed = [month.month for month in effects.months_reckoned(tx, row) if month.is_closed]
    then = next_month(Month(closed[-1])) if closed else None
    return None if then == max((version.effective_from or ALWAYS for version in versions), default=ALWAYS) else then


def choices(
    tx: Tx, row: PropertyRow, versions: Sequence[ShownVersion], utility_type: str, *,
    wanted: Rule | None, is_usable: bool, today: Month,
) -> tuple[DateChoice, ...]:  # fmt: skip
    """List the months from which a changed rule may apply, and mark the proposed one.

    `wanted` is the changed rule, None if it is deactivated or invalid. `is_usable` is set if its terms are valid.
    Replacing the newest version is the first choice; the months follow, earliest first. Months without bills are among
    them if they lie between the last bill and today.
    """
    months, then = effects.months_reckoned(tx, row), proposed(tx, row, versions)
    closed = [month.month for month in months if month.is_closed]
    begun = {version.effective_from or ALWAYS: version for version in versions}
    newest = max(begun, default=ALWAYS)
    named = {*(month.month for month in months), today, *([then] if then else [])}
    last = max((month.month for month in months), default=today)
    named.update(before for back in range(1, MONTHS_AHEAD) if (before := months_back(today, back)) > last)
    named.add(near := next_month(Month(max(named))))
    named.update(months_back(today, -ahead) for ahead in range(1, MONTHS_AHEAD + 1))
    first = row.billing_starts_month or ALWAYS
    reckoned = _reckoned(tx, row, months, utility_type, wanted) if is_usable else None
    offered = [_choice(None, newest, begun, reckoned)]
    offered += [_choice(since, since, begun, reckoned) for since in sorted(named) if first <= since and since != newest]
    early = closed[:-CLOSED_MONTHS_OFFERED]
    return tuple(
        date_choice._replace(
            is_proposed=date_choice.since == then,
            is_early=date_choice.since in early,
            is_far=(date_choice.since or "") > near,
        )
        for date_choice in offered
    )


def _reckoned(
    tx: Tx, row: PropertyRow, months: Sequence[MonthRow], utility_type: str, wanted: Rule | None
) -> Sequence[MonthEffect]:
    """Compute the effect of the changed rule on each of these months."""

    def change(facts: PropertyFacts) -> PropertyFacts:
        return facts._replace(rules={**facts.rules, utility_type: {ALWAYS: wanted}})

    return effects.of_change(tx, row, months, change, utility_type)


def _choice(
    since: str | None, begins: str, versions: Mapping[str, ShownVersion], of_months: Sequence[MonthEffect] | None
) -> DateChoice:
    """Build a choice, with its effects on the months from `begins` until the next version."""
    end = end_of(versions, begins)
    until = None if end == NEVER else months_back(Month(end), 1)
    choice = DateChoice(since, begins or None, until, in_force(versions, begins), None, None)
    if of_months is None:
        return choice
    within = [
        month_effect for month_effect in of_months if begins <= month_effect.month < end and month_effect.effect.moved
    ]
    drafts, sent = (
        Reach(len(these), sum(month_effect.effect.moved for month_effect in these))
        for these in (
            [month_effect for month_effect in within if not month_effect.is_closed],
            [month_effect for month_effect in within if month_effect.is_closed],
        )
    )
    return choice._replace(drafts=drafts, sent=sent)
