"""Differences between a file of units and the stored records, reported before importing."""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from prorata.domain.money import in_figures

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


NEW, CHANGED, SAME = "NEW", "CHANGED", "SAME"


class Effect(NamedTuple):
    """The effect of a file's line on a unit or tenant: `NEW`, `CHANGED` or `SAME`."""

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
