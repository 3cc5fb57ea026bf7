"""The versions of a share rule: each is in force from a billing month on, until the next one
(docs/decisions.md#dated-rules).
"""

from collections.abc import Mapping
from typing import TypeVar

Version = TypeVar("Version")

ALWAYS = ""
"""The month from which the first version is in force: before all others."""


def in_force(versions: Mapping[str, Version], month: str) -> Version | None:
    """The version that lines of a billing month use, of `versions` by the month from which each is in force; None
    where there is none yet.

    >>> rule = {ALWAYS: "by area", "2026-06": "equally"}
    >>> in_force(rule, "2026-05"), in_force(rule, "2026-06"), in_force({"2026-06": "equally"}, "2026-05")
    ('by area', 'equally', None)
    """
    begun = [since for since in versions if since <= month]
    return versions[max(begun)] if begun else None
