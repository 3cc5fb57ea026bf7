"""Differences between a file of units and the stored records, reported before importing."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from hashlib import sha256
from typing import Any, NamedTuple

from prorata.domain.labels import same
from prorata.domain.money import in_figures
from prorata.domain.properties.unit_files import FileUnit
from prorata.domain.texts import Text, joined, listed, say_n

COLUMNS = {
    "sqft": "sqft",
    "bedrooms": "bedrooms",
    "monthly_rent": "monthlyRent",
    "active_from": "activeFrom",
    "email": "tenantEmail",
    "move_in": "moveInDate",
    "move_out": "moveOutDate",
    "occupants": "occupants",
}
"""The attributes that may differ, with their columns in a file."""


class Differing(NamedTuple):
    """A difference between a file and a stored record.

    Both values are written as in a file. The difference also has the line in the file, the column, and
    the names of the property, the unit and, if the difference is about a tenant, the tenant.
    """

    line: int
    property: str
    unit: str
    tenant: str
    column: str
    here: str
    there: str


class Resident(NamedTuple):
    """A stored tenant of a unit, with the first and the last day, if known."""

    id: str
    name: str
    first: str | None
    last: str | None

    def lives_there(self, day: str) -> bool:
        """True if the tenant's stay includes a day and goes on after it."""
        return (self.first or "") <= day and (self.last is None or self.last > day)


class OtherPeople(NamedTuple):
    """A unit for which a file and the stored records name different people.

    `named` are the people who live there according to the file; if there are none, the unit is vacant. `stay` are the
    stored tenants who live there but are not in the file, `added` are the people of the file who are not stored yet,
    and `gone` are the stored tenants whom the file names although they have moved out.
    """

    line: int
    property: str
    unit: str
    named: tuple[str, ...]
    stay: tuple[Resident, ...]
    added: tuple[str, ...]
    gone: tuple[Resident, ...]

    def effect(self) -> Text:
        """Describe what an import does about it, and what a person can do first."""
        stay, gone = ([one.name for one in its] for its in (self.stay, self.gone))
        texts = list[Text]()
        if stay:
            texts.append(say_n("{names} stays.", "{names} stay.", len(stay), names=listed(stay)))
        if stay and self.added:
            texts.append(
                say_n(
                    "{names} is added and shares the bill.", "{names} are added and share the bill.",
                    len(self.added), names=listed(self.added),
                )
            )  # fmt: skip
        if stay:
            texts.append(
                say_n(
                    "If {names} moved out, enter the last day first.",
                    "If any of them moved out, enter the last day first.",
                    len(stay), names=listed(stay),
                )
            )  # fmt: skip
        if gone:
            texts.append(
                say_n(
                    "{names} has moved out and isn’t added again. If that’s wrong, change the last day.",
                    "{names} have moved out and aren’t added again. If that’s wrong, change the last day.",
                    len(gone), names=listed(gone),
                )
            )  # fmt: skip
        return joined(texts)


def other_people(
    unit: FileUnit, names: tuple[str, str], stored: Mapping[str, Resident], today: date
) -> OtherPeople | None:
    """Compare the people of a unit in a file with its stored tenants.

    `names` are the names of the property and the unit, and `stored` has the tenants by name (`same`). Nobody moves out
    without a last day, so a tenant whom the file omits stays. That is only reported if the file says that the unit is
    vacant, names nobody else who lives there, or adds somebody: a file may omit some of several roommates. A file
    without a column of tenants says nothing about them.

    >>> hall = Resident("t_1", "Paul Hall", None, None)
    >>> unit = FileUnit(5, "3A", None, None, None, None, ())
    >>> other_people(unit, ("Elm", "3A"), {"paul hall": hall}, date(2026, 12, 1)).effect()
    'Paul Hall stays. If Paul Hall moved out, enter the last day first.'
    """
    if not unit.lists_tenants:
        return None
    day = today.isoformat()
    those = [one for one in unit.tenants if one.move_out is None or one.move_out >= today]
    added = [one for one in those if same(one.name) not in stored]
    there = [stored[same(one.name)] for one in those if same(one.name) in stored]
    gone = tuple(one for one in there if one.last is not None and one.last < day)
    first = min((one.move_in or today for one in added), default=today)
    in_file = {same(one.name) for one in unit.tenants}
    omitted = [one for name, one in stored.items() if name not in in_file]
    stay = tuple(one for one in omitted if one.lives_there(max(today, first).isoformat()))
    if not added and len(there) > len(gone):
        stay = ()
    if not stay and not gone:
        return None
    named = tuple(one.name for one in those)
    return OtherPeople(unit.line, *names, named, stay, tuple(one.name for one in added), gone)


NEW, CHANGED, DIFFERENT, SAME = "NEW", "CHANGED", "DIFFERENT", "SAME"


class Effect(NamedTuple):
    """The effect of a file's line on a unit or tenant: `NEW`, `CHANGED` or `SAME`.

    A unit or tenant is `DIFFERENT` if it stays as it is although other people live there (`OtherPeople`).
    """

    line: int
    property: str
    unit: str
    tenant: str
    effect: str


def changes(stored: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    """Find the stored fields that a file changes.

    Fields that the file omits stay unchanged, and an address that differs only in case is the same.

    >>> from types import SimpleNamespace
    >>> changes(SimpleNamespace(email="a@b.ex", move_in=None), {"email": "A@B.ex", "move_in": "2026-03-01"})
    {'move_in': '2026-03-01'}
    """
    return {
        name: value
        for name, value in values.items()
        if value is not None and _folded(value) != _folded(getattr(stored, name))
    }


def differing(line: int, names: tuple[str, str, str], stored: Any, changed: Mapping[str, Any]) -> Iterator[Differing]:
    """Yield a difference for each changed field of a property, unit or tenant.

    `names` are the names of the property, the unit and the tenant.
    """
    for name, value in changed.items():
        yield Differing(line, *names, COLUMNS[name], _text(name, getattr(stored, name)), _text(name, value))


def mark_of(differences: Sequence[Differing]) -> str:
    """Fingerprint differences, so that only those seen by a person are imported."""
    return sha256(repr(differences).encode("utf-8", "surrogatepass")).hexdigest() if differences else ""


def _folded(value: Any) -> Any:
    return value.casefold() if isinstance(value, str) else value


def _text(name: str, value: Any) -> str:
    if value is None:
        return ""
    return in_figures(value) if name == "monthly_rent" else str(value)
