"""Explanations in which one value was changed."""

import copy
import re
from collections.abc import Iterator
from typing import Any

Path = tuple[str | int, ...]
_MONEY = re.compile(r"-?\d+\.\d\d")


def amounts_in(content: Any, path: Path = (), *, amounts: bool = True) -> Iterator[Path]:
    """Yield the paths of the amounts in an explanation, or of everything in it."""
    if isinstance(content, dict | list):
        if not amounts and path:
            yield path
        members = content.items() if isinstance(content, dict) else enumerate(content)
        for name, value in members:
            yield from amounts_in(value, (*path, name), amounts=amounts)
    elif path != ("sha256",) and (not amounts or (isinstance(content, str) and _MONEY.fullmatch(content))):
        yield path


def edited(content: Any, path: Path, value: Any) -> Any:
    """A copy with another value at a path.

    If both the old and the new value are amounts, the new one is added to the old.
    """
    changed = copy.deepcopy(content)
    inside = changed
    for name in path[:-1]:
        inside = inside[name]
    was = inside[path[-1]]
    is_amount = isinstance(was, str) and _MONEY.fullmatch(was) and isinstance(value, str) and _MONEY.fullmatch(value)
    if is_amount:
        cents = int(was.replace(".", "")) + int(value.replace(".", ""))
        value = f"{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02d}"
    inside[path[-1]] = value
    return changed
