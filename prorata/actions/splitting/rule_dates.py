"""From which month a changed rule may be in force, and what each choice would do to drafts and to sent months."""

from collections.abc import Sequence
from typing import NamedTuple

from prorata.actions.recalculation import effects
from prorata.actions.recalculation.effects import MonthEffect
from prorata.actions.recalculation.month_loader import PropertyFacts
from prorata.actions.splitting.share_rules import ShownVersion
from prorata.domain.billing_calendar import Month, next_month
from prorata.domain.splitting.rule_versions import ALWAYS
from prorata.domain.splitting.share_rules import Rule
from prorata.store.database.engine import Tx
from prorata.store.properties.properties import PropertyRow
from prorata.store.recalculation.billing_months import MonthRow

CLOSED_MONTHS_OFFERED = 3
"""The last closed months that a person is offered; others are reached by way of the newest version."""


class Reach(NamedTuple):
    """The months that a choice makes come out otherwise, and how many cents somebody else bears in them."""

    months: int
    cents: int


class DateChoice(NamedTuple):
    """A month from which a rule may be in force (None: in the place of the newest version, from `begins` on), and what
    that would do to drafts and to sent months; without terms that can be used, nothing is known of that.
    """

    since: str | None
    begins: str | None
    is_proposed: bool
    drafts: Reach | None
    sent: Reach | None

    @property
    def changes(self) -> bool:
        """Whether any month would come out otherwise."""
        return any(reach is not None and reach.months for reach in (self.drafts, self.sent))


def choices(
    tx: Tx, row: PropertyRow, versions: Sequence[ShownVersion], utility_type: str, *,
    wanted: Rule | None, is_usable: bool, today: Month,
) -> tuple[DateChoice, ...]:  # fmt: skip
    """The months that are offered for a rule, the earliest first, and the one that is proposed: that after the last
    closed one. `wanted` is the rule as it would be, None where it divides nothing; `is_usable` says whether it can be.
    """
    months = effects.months_reckoned(tx, row)
    closed = [month.month for month in months if month.is_closed]
    begun = [one.effective_from or ALWAYS for one in versions]
    newest = max(begun, default=ALWAYS)
    proposed = next_month(Month(closed[-1])) if closed else None
    if proposed == newest:
        proposed = None  # which is to replace the newest version
    named = {*closed[-CLOSED_MONTHS_OFFERED:], *(month.month for month in months if not month.is_closed)}
    named |= {next_month(max(today, Month(max(named, default=today)))), today, *([proposed] if proposed else [])}
    first = row.billing_starts_month or ALWAYS
    reckoned = _reckoned(tx, row, months, utility_type, wanted) if is_usable else None
    found = [_choice(None, newest, begun, reckoned)]
    found += [_choice(since, since, begun, reckoned) for since in sorted(named) if first <= since and since != newest]
    return tuple(one._replace(is_proposed=one.since == proposed) for one in found)


def _reckoned(
    tx: Tx, row: PropertyRow, months: Sequence[MonthRow], utility_type: str, wanted: Rule | None
) -> Sequence[MonthEffect]:
    """The effect of the rule on each of these months, were it in force."""

    def change(facts: PropertyFacts) -> PropertyFacts:
        return facts._replace(rules={**facts.rules, utility_type: {ALWAYS: wanted}})

    return effects.of_change(tx, row, months, change, utility_type)


def _choice(
    since: str | None, begins: str, versions: Sequence[str], of_months: Sequence[MonthEffect] | None
) -> DateChoice:
    """A choice with what it does to the months from `begins` on, until the next version that stays."""
    if of_months is None:
        return DateChoice(since, begins or None, False, None, None)
    end = min((version for version in versions if version > begins), default="~")
    within = [one for one in of_months if begins <= one.month < end and one.effect.moved]
    drafts, sent = (
        Reach(len(these), sum(one.effect.moved for one in these))
        for these in ([one for one in within if not one.is_closed], [one for one in within if one.is_closed])
    )
    return DateChoice(since, begins or None, False, drafts, sent)
