"""A program that runs every pattern of the readers on long runs of its characters.

It is a separate program, so that its CPU time can be limited.
"""

import ast
import importlib
import inspect
import json
import pkgutil
import re
import resource
import signal
import sys
from collections.abc import Iterable, Iterator
from itertools import permutations, product
from re import _parser  # type: ignore[attr-defined]
from types import ModuleType
from typing import Any, NamedTuple

import prorata.adapters
import prorata.domain

LENGTH = 1_000
"""Characters of a run. What backtracks with the square of it takes some milliseconds, what does so with its cube seconds."""
SECONDS, SECONDS_OF_ALL = 0.25, 240
"""Of a processor, for one run and for all."""
END = "\x01"
"""The character that no pattern ends with.

After it, all other ways to read the run are tried.
"""
SAMPLES = [chr(code) for code in (*range(2, 128), 0xA0, 0xB2, 0xDF, 0xE9, 0x660, 0x2013, 0x20AC, 0x3002)]
METHODS = ("fullmatch", "finditer")
"""A search is the first step of `finditer`, and a match the first of a search."""


class TooSlow(Exception):
    """A run that takes longer than it may."""


def every_pattern() -> dict[re.Pattern[Any], str]:
    """Return every pattern in the modules of the readers, with its name."""
    found: dict[re.Pattern[Any], str] = {}
    for package in (prorata.domain, prorata.adapters):
        for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            module = importlib.import_module(info.name)
            for name, value in vars(module).items():
                for pattern in _patterns_in(value):
                    found.setdefault(pattern, f"{module.__name__}.{name}: {pattern.pattern!r}")
            for pattern in _written_in_functions(module):
                found.setdefault(pattern, f"{module.__name__}: {pattern.pattern!r}")
    return found


def _patterns_in(value: object) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, tuple | list | set | frozenset):
        for one in value:
            yield from _patterns_in(one)
    elif isinstance(value, dict):
        yield from _patterns_in([*value, *value.values()])
    elif callable(value) and hasattr(value, "cache_info") and "re.Pattern" in str(inspect.get_annotations(value)):
        yield from _patterns_in(value())


def _written_in_functions(module: ModuleType) -> Iterator[re.Pattern[Any]]:
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        match node:
            case ast.Call(func=ast.Attribute(ast.Name("re"), name), args=[ast.Constant(written), *_]) if (
                name != "compile"
            ):
                yield re.compile(written)


class Part(NamedTuple):
    """The characters that match one place of a pattern, and whether they may repeat."""

    characters: frozenset[str]
    is_repeated: bool


def _parts(tree: Iterable[tuple[Any, Any]], ascii_only: int, *, is_repeated: bool = False) -> Iterator[Part]:
    for kind, value in tree:
        match str(kind):
            case "LITERAL":
                yield Part(frozenset(chr(value)), is_repeated)
            case "NOT_LITERAL" | "ANY" | "IN":
                items = value if str(kind) == "IN" else [("NEGATE", None), ("LITERAL", value or ord("\n"))]
                yield Part(frozenset(one for one in SAMPLES if _is_in(items, one, ascii_only)), is_repeated)
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                yield from _parts(value[2], ascii_only, is_repeated=is_repeated or value[1] > 3)
            case "AT" | "GROUPREF":
                pass
            case _:  # groups, branches, what is looked for ahead and behind
                for tree_within in _trees_in(value):
                    yield from _parts(tree_within, ascii_only, is_repeated=is_repeated)


def _trees_in(value: Any) -> Iterator[Any]:
    if isinstance(value, _parser.SubPattern):
        yield value
    elif isinstance(value, tuple | list):
        for one in value:
            yield from _trees_in(one)


def _is_in(items: Iterable[tuple[Any, Any]], character: str, ascii_only: int) -> bool:
    is_negated = is_in = False
    for kind, value in items:
        match str(kind):
            case "NEGATE":
                is_negated = True
            case "LITERAL":
                is_in |= ord(character) == value
            case "RANGE":
                is_in |= value[0] <= ord(character) <= value[1]
            case _:
                _, *negated, letter = str(value).split("_")  # CATEGORY_DIGIT, CATEGORY_NOT_SPACE
                sign = letter[0].upper() if negated else letter[0].lower()
                is_in |= bool(re.match(rf"\{sign}", character, ascii_only))
    return is_in != is_negated


def texts_for(pattern: re.Pattern[Any]) -> Iterator[str]:
    """Yield long texts on which a pattern may backtrack.

    They are runs of each character that the pattern distinguishes, runs of pairs of the characters that it repeats, and
    runs of each repeated character after any other character. One character stands for all of those among which no part
    of the pattern (or no repeated part) distinguishes.
    """
    ascii_only = re.ASCII if isinstance(pattern.pattern, bytes) else pattern.flags & re.ASCII
    parts = list(_parts(_parser.parse(pattern.pattern, pattern.flags & ~(re.UNICODE | re.ASCII)), ascii_only))
    every = _told_apart({part.characters for part in parts})
    repeated = _told_apart({part.characters for part in parts if part.is_repeated})
    yield from (one * LENGTH for one in every)
    yield from ((one + other) * (LENGTH // 2) for one, other in permutations(repeated, 2))
    yield from (one + other * LENGTH for one, other in product(every, repeated) if one != other)


def _told_apart(sets: set[frozenset[str]]) -> list[str]:
    known = sorted(frozenset[str]().union(*sets))
    return sorted({tuple(one in each for each in sets): one for one in known}.values())


def slow_in(pattern: re.Pattern[Any]) -> str | None:
    """Return the method and the beginning of a pattern's first slow text, or None."""
    for text in texts_for(pattern):
        for run in (text, text + END):
            for method in METHODS:
                signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
                try:
                    found = getattr(pattern, method)(
                        run.encode("latin-1", "replace") if isinstance(pattern.pattern, bytes) else run
                    )
                    if method == "finditer":
                        for _ in found:
                            pass
                except TooSlow:
                    return f"{method} of {run[:4]!r}..."
                finally:
                    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return None


def _end_run(*_: object) -> None:
    raise TooSlow


def main() -> None:
    """Print the names of all patterns, each with its slow text, if any."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS_OF_ALL, SECONDS_OF_ALL + 1))
    signal.signal(signal.SIGVTALRM, _end_run)
    wanted = sys.argv[1:]
    patterns = {re.compile(one): one for one in wanted} or every_pattern()
    json.dump({name: slow_in(pattern) for pattern, name in patterns.items()}, sys.stdout)


if __name__ == "__main__":
    main()
