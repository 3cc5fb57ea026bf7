"""The effect of changed facts on a month's amounts: each amount before and after."""

from collections.abc import Mapping
from typing import NamedTuple

from prorata.domain.splitting.divided_months import HouseholdKey
from prorata.domain.splitting.month_facts import MonthFacts
from prorata.domain.splitting.rights import Rights, regrouped, rights


class Borne(NamedTuple):
    """A household's amount in a month before and after a change, in cents."""

    unit_id: str
    tenant_ids: HouseholdKey
    before: int
    after: int

    @property
    def difference(self) -> int:
        """The increase of the household's amount in cents, negative for a decrease."""
        return self.after - self.before


class Effect(NamedTuple):
    """The effect of a change on a month: household amounts by unit, and the owner's."""

    households: tuple[Borne, ...]
    owner_before: int
    owner_after: int

    @property
    def moved(self) -> int:
        """The cents that the change moves: the sum of all increases, including the owner's."""
        owner = self.owner_after - self.owner_before
        return sum(
            max(0, difference) for difference in (owner, *(household.difference for household in self.households))
        )


def effect(before: MonthFacts, after: MonthFacts) -> Effect:
    """Compute the effect of changed facts on a month, from the facts before and after.

    Stored invoices are ignored.
    """
    becomes = rights(after)
    was = regrouped(rights(before), becomes)
    of_was, of_becomes = _sums(was), _sums(becomes)
    return Effect(
        tuple(Borne(*key, of_was.get(key, 0), of_becomes.get(key, 0)) for key in dict.fromkeys([*of_was, *of_becomes])),
        _owners(was),
        _owners(becomes),
    )


def _sums(of: Rights) -> Mapping[tuple[str, HouseholdKey], int]:
    return {key: sum(lines.values()) for key, lines in of.of_households.items()}


def _owners(of: Rights) -> int:
    """Sum the amounts that the owner bears, in cents, including those of vacant units."""
    return sum(of.owner.values()) + sum(sum(lines.values()) for lines in of.unlived.values())
