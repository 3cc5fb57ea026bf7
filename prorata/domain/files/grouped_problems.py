"""Files that were not taken for one and the same reason, told together."""

from collections.abc import Iterable
from typing import NamedTuple


class NotTaken(NamedTuple):
    """Why files were not taken, by name in the order in which they came; without a name it is about all that came."""

    names: tuple[str, ...]
    why: str


def together(found: Iterable[tuple[str, str]]) -> tuple[NotTaken, ...]:
    """What was not taken, each with its reason, as one for each reason, in the order in which they come first.

    >>> [(one.names, one.why) for one in together([("a.zip", "No."), ("", "Cut off."), ("b.zip", "No.")])]
    [(('a.zip', 'b.zip'), 'No.'), ((), 'Cut off.')]
    """
    by_reason: dict[tuple[str, bool], list[str]] = {}
    for name, why in found:
        names = by_reason.setdefault((why, bool(name)), [])
        if name:
            names.append(name)
    return tuple(NotTaken(tuple(names), why) for (why, _), names in by_reason.items())
