"""The versions of a share rule, each applying until the next (docs/decisions.md#dated-rules).

Each begins with a billing month.
"""

from collections.abc import Iterable, Mapping
from typing import TypeVar

Version = TypeVar("Version")

ALWAYS = ""
"""The month from which the first version is in force.

It precedes all other months.
"""
NEVER = "~"
"""The month in which the last version ends.

It follows all other months.
"""


def in_force(versions: Mapping[str, Version], month: str) -> Version | None:
    """Return the version for lines of a billing month, or None before the first.

    The keys of `versions` are the months from which the versions are in force.

    >>> rule = {ALWAYS: "by area", "2026-06": "equally"}
    >>> in_force(rule, "2026-05"), in_force(rule, "2026-06"), in_force({"2026-06": "equally"}, "2026-05")
    ('by area', 'equally', None)
    """
    begun = [since for since in versions if since <= month]
    return versions[max(begun)] if begun else None


def end_of(versions: Iterable[str], begins: str) -> str:
    """Return the month in which the version that begins in the month `begins` is replaced.

    It is `NEVER` if there is no later version.

    >>> end_of([ALWAYS, "2026-06"], "2026-03"), end_of([ALWAYS, "2026-06"], "2026-06") == NEVER
    ('2026-06', True)
    """
    return min((since for since in versions if since > begins), default=NEVER)
