"""What a file of units says otherwise than is stored: told before it is taken, or left as it is."""

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
"""What may differ, and its column in a file."""


class Differing(NamedTuple):
    """One thing that a file says otherwise: in which line, of which unit of which property and, where it is about one,
    of which tenant; its column, and how it is stored and in the file, as a file writes it.
    """

    line: int
    property: str
    unit: str
    tenant: str
    column: str
    here: str
    there: str


def changes(stored: Any, said: Mapping[str, Any]) -> dict[str, Any]:
    """What is said otherwise than is stored, by field. What a file says nothing of stays; an address is the same in
    capitals.

    >>> from types import SimpleNamespace
    >>> changes(SimpleNamespace(email="a@b.ex", move_in=None), {"email": "A@B.ex", "move_in": "2026-03-01"})
    {'move_in': '2026-03-01'}
    """
    return {
        name: value
        for name, value in said.items()
        if value is not None and _folded(value) != _folded(getattr(stored, name))
    }


def differing(line: int, names: tuple[str, str, str], stored: Any, changed: Mapping[str, Any]) -> Iterator[Differing]:
    """Each of some changes, of the property, unit and tenant that are named so."""
    for name, value in changed.items():
        yield Differing(line, *names, COLUMNS[name], _text(name, getattr(stored, name)), _text(name, value))


def mark_of(found: Sequence[Differing]) -> str:
    """What tells some differences from others, so that only those are taken that somebody has seen."""
    return sha256(repr(found).encode("utf-8", "surrogatepass")).hexdigest() if found else ""


def _folded(value: Any) -> Any:
    return value.casefold() if isinstance(value, str) else value


def _text(name: str, value: Any) -> str:
    if value is None:
        return ""
    return in_figures(value) if name == "monthly_rent" else str(value)
