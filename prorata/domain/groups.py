"""Grouping values by key or into portions of limited size, and summing numbers by key."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


def grouped(pairs: Iterable[tuple[K, V]]) -> defaultdict[K, list[V]]:
    """Group values by key, in their order; a missing key has an empty list.

    >>> dict(grouped([("WATER", 3), ("GAS", 5), ("WATER", 4)]))
    {'WATER': [3, 4], 'GAS': [5]}
    """
    groups: defaultdict[K, list[V]] = defaultdict(list)
    for key, value in pairs:
        groups[key].append(value)
    return groups


def added_up(pairs: Iterable[tuple[K, int]]) -> defaultdict[K, int]:
    """Sum numbers, such as cents, by key, in the order of the keys' first appearance.

    A missing key has the sum 0.

    >>> dict(added_up([("WATER", 3), ("GAS", 5), ("WATER", 4)]))
    {'WATER': 7, 'GAS': 5}
    """
    sums: defaultdict[K, int] = defaultdict(int)
    for key, number in pairs:
        sums[key] += number
    return sums


def in_portions(values: Iterable[V], size_of: Callable[[V], int], most: int) -> Iterator[list[V]]:
    """Divide values, in order, into portions whose sizes add up to at most `most`.

    A value that is larger than `most` forms a portion by itself.

    >>> list(in_portions(["a", "bb", "cccc", "d", "e"], len, 3))
    [['a', 'bb'], ['cccc'], ['d', 'e']]
    """
    portion, size = list[V](), 0
    for value in values:
        its_size = size_of(value)
        if portion and size + its_size > most:
            yield portion
            portion, size = [], 0
        portion.append(value)
        size += its_size
    if portion:
        yield portion
