"""What a change of the facts does to a month in money: who bears what before it and after."""

from collections.abc import Mapping
from typing import NamedTuple

from prorata.domain.splitting.divided_months import HouseholdKey
from prorata.domain.splitting.month_facts import MonthFacts
from prorata.domain.splitting.rights import Rights, regrouped, rights


class Borne(NamedTuple):
    """What a household of a unit bears of a month before a change and after it, in cents."""

    unit_id: str
    tenant_ids: HouseholdKey
    before: int
    after: int

    @property
    def difference(self) -> int:
        """By how much it bears more; below zero, less."""
        return self.after - self.before


class Effect(NamedTuple):
    """What a change does to a month: every household that bears something before or after, by unit, and the owner."""

    households: tuple[Borne, ...]
    owner_before: int
    owner_after: int

    @property
    def moved(self) -> int:
        """How many cents somebody else bears: those by which households, or the owner, come to bear more."""
        owner = self.owner_after - self.owner_before
        return sum(max(0, difference) for difference in (owner, *(one.difference for one in self.households)))


def effect(before: MonthFacts, after: MonthFacts) -> Effect:
    """What other facts do to a month, whatever is stored of it."""
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
    """The owner's part, with that of units in which nobody lived."""
    return sum(of.owner.values()) + sum(sum(lines.values()) for lines in of.unlived.values())
