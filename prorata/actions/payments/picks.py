"""What somebody picks of the rows of a bank's file, page by page, until all of it is recorded at once."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from prorata.domain.payments.candidates import Candidate
from prorata.domain.payments.files import BankRow
from prorata.domain.payments.matching import MATCHED, Match

Wanted = tuple[BankRow, Candidate]


class Picks(NamedTuple):
    """What was picked by the lines of rows: the marks of candidates, empty where none is meant, and numbers of invoices
    that were typed, empty where none is.
    """

    chosen: Mapping[int, str] = {}
    numbers: Mapping[int, str] = {}

    def and_then(self, later: "Picks") -> "Picks":
        """These with what was picked later.

        >>> Picks({3: "a", 4: "b"}).and_then(Picks({4: ""}, {5: "MAPLE-1"}))
        Picks(chosen={3: 'a', 4: ''}, numbers={5: 'MAPLE-1'})
        """
        return Picks({**self.chosen, **later.chosen}, {**self.numbers, **later.numbers})


def mark_of(candidate: Candidate) -> str:
    """What a candidate is known by in a form: its invoices, what was left to pay of each when it was shown, and whether
    it is what was noted.
    """
    return " ".join(
        f"{part.invoice.id}:{part.invoice.balance}:{part.cents}{':noted' if part.in_place_of_noted else ''}"
        for part in candidate
    )


def mark_of_matched(waiting: Sequence[Match], without: Collection[int]) -> str:
    """What tells whether rows are plainly for the same invoices as when they were counted, but for some lines."""
    lines = (f"{one.row.line}={mark_of(one.candidates[0])}" for one in waiting
             if one.verdict == MATCHED and one.row.line not in without)  # fmt: skip
    return sha256("\n".join(lines).encode()).hexdigest()


def in_parts(wanted: Sequence[Wanted], most: int) -> Iterator[tuple[Wanted, ...]]:
    """Rows in parts of so many, but that those which are for one invoice stay together: each is held against what was
    left to pay of it before any of them is recorded. At least one part.
    """
    groups: dict[str, list[Wanted]] = {}
    for row in wanted:
        ids = [part.invoice.id for part in row[1]]
        met = {id(group): group for key in ids if (group := groups.get(key))}
        together = [*(one for group in met.values() for one in group), row]
        groups |= dict.fromkeys((part.invoice.id for _, candidate in together for part in candidate), together)
    found: list[Wanted] = []
    for group in {id(group): group for group in groups.values()}.values():
        if found and len(found) + len(group) > most:
            yield tuple(found)
            found = []
        found += group
    yield tuple(found)
