"""Upcoming rule changes: how a later rule version differs from the version before it."""

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from hashlib import sha256
from itertools import pairwise
from typing import NamedTuple

from prorata.domain.billing_calendar import Month, first_day, month_of, next_month
from prorata.domain.splitting.lease_terms import Dated, Versions, changes
from prorata.domain.splitting.rule_versions import ALWAYS
from prorata.domain.splitting.share_rules import Rule, used_terms
from prorata.domain.splitting.split_methods import SPLIT_METHODS
from prorata.domain.splitting.stays import UnitFacts


class RuleChange(NamedTuple):
    """The change of a utility's rule from one month on: `after` replaces `before`.

    If either is None, no rule divides the utility's bills at that time, and the owner bears them.
    """

    utility_type: str
    since: Month
    before: Rule | None
    after: Rule | None

    @property
    def mark(self) -> str:
        """A fingerprint of the change: of its utility, its month and its two rules."""
        return sha256(
            repr((self.utility_type, self.since, used_terms(self.before), used_terms(self.after))).encode()
        ).hexdigest()

    @property
    def begins(self) -> date:
        """The first day of the new rule's first billing month."""
        return first_day(self.since)

    def lacking(self, units: Iterable[UnitFacts]) -> int:
        """Count the units that lack a measure that the new rule needs.

        A missing measure counts as 0.
        """
        measured = [SPLIT_METHODS[part.split_method].measured for part in self.after.parts] if self.after else []
        fields = {measure.field for measure in measured if measure is not None and measure.field}
        return sum(any(getattr(unit, field) is None for field in fields) for unit in units)

    def told_from(self, days: int) -> date:
        """Return the day on which to announce the change: `days` before the new rule begins.

        >>> RuleChange("WATER", Month("2026-06"), None, None).told_from(30)
        datetime.date(2026, 5, 2)
        """
        return self.begins - timedelta(days=days)


class Notice(NamedTuple):
    """The announcement of a rule that begins on a certain day.

    `days` is the number of days between the announcement and the beginning. The announcement is sent on `told_on`,
    which is None if that day has passed. `first` is the first month in which a rule can begin if it is announced
    today.
    """

    days: int
    told_on: date | None
    first: Month


def notice(begins: date, days: int, today: date) -> Notice:
    """Determine the announcement of a rule that begins on a day.

    `days` is the account's setting: the number of days before the beginning.

    >>> notice(date(2026, 12, 1), 30, date(2026, 11, 27))
    Notice(days=30, told_on=None, first='2027-01')
    >>> notice(date(2027, 1, 1), 30, date(2026, 11, 27)).told_on, notice(date(2026, 12, 1), 30, date(2026, 11, 1)).first
    (datetime.date(2026, 12, 2), '2026-12')
    """
    earliest, told_on = today + timedelta(days=days), begins - timedelta(days=days)
    month = month_of(earliest)
    first = month if first_day(month) >= earliest else next_month(month)
    return Notice(days, None if told_on < today else told_on, first)


def changes_to_come(rules: Mapping[str, Versions], month: Month) -> tuple[RuleChange, ...]:
    """List the rule changes of all utilities after a month, earliest first.

    A version that divides in the same way as the version before it is not a change.

    >>> from fractions import Fraction
    >>> by_area = Rule("WATER", "SQFT", {}, Fraction(), Fraction())
    >>> equal = by_area._replace(split_method="EQUAL")
    >>> rules = {"WATER": {"": equal, "2026-03": by_area, "2026-06": equal, "2026-09": equal}}
    >>> [(one.since, one.before.split_method) for one in changes_to_come(rules, Month("2026-03"))]
    [('2026-06', 'SQFT')]
    """
    to_come = [
        RuleChange(kind, Month(after.since), before.rule, after.rule)
        for kind, versions in rules.items()
        for before, after in pairwise([Dated(ALWAYS, None), *changes(versions)])
        if after.since > month and before.rule != after.rule
    ]
    return tuple(sorted(to_come, key=lambda rule_change: (rule_change.since, rule_change.utility_type)))
