"""Problems with the same reason, grouped: refused files, and rows of a file."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from prorata.domain.files.sheets import RowProblem
from prorata.domain.texts import Count, say

RANGES_NAMED = 12
"""The maximum number of lines, or ranges of lines, named for one problem."""


class NotTaken(NamedTuple):
    """The names of the files refused for one reason, in order, and the reason.

    If there are no names, the entire upload was refused.
    """

    names: tuple[str, ...]
    why: str


def together(refusals: Iterable[tuple[str, str]]) -> tuple[NotTaken, ...]:
    """Group refused files by reason, in the order of first appearance.

    >>> [(one.names, one.why) for one in together([("a.zip", "No."), ("", "Cut off."), ("b.zip", "No.")])]
    [(('a.zip', 'b.zip'), 'No.'), ((), 'Cut off.')]
    """
    by_reason: dict[tuple[str, bool], list[str]] = {}
    for name, why in refusals:
        names = by_reason.setdefault((why, bool(name)), [])
        if name:
            names.append(name)
    return tuple(NotTaken(tuple(names), why) for (why, _), names in by_reason.items())


class ProblemOfRows(NamedTuple):
    """A problem that occurs in one or more lines of a file.

    `column` is the column with the problem, or None if the problem concerns the whole line.
    """

    lines: tuple[int, ...]
    column: str | None
    message: str

    @property
    def where(self) -> str:
        """The numbers of the lines that have the problem, as text."""
        return in_ranges(self.lines)


def in_ranges(lines: Sequence[int]) -> str:
    """Format line numbers for a sentence, joining neighbors into ranges.

    If there are many ranges, only the first ones are listed, and the other lines are counted.

    >>> in_ranges([4, 5, 6, 9, 9]), in_ranges(range(2, 200, 2))
    ('4–6, 9', '2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24 and 87 more')
    """
    ranges = list[list[int]]()
    for line in sorted(set(lines)):
        if ranges and line == ranges[-1][-1] + 1:
            ranges[-1].append(line)
        else:
            ranges.append([line])
    named = ", ".join(f"{span[0]}–{span[-1]}" if len(span) > 1 else f"{span[0]}" for span in ranges[:RANGES_NAMED])
    rest = sum(map(len, ranges[RANGES_NAMED:]))
    return say("{lines} and {n} more", lines=named, n=Count(rest)) if rest else named


def of_rows(problems: Iterable[RowProblem]) -> tuple[ProblemOfRows, ...]:
    """Group problems of rows with their lines, in the order of first appearance.

    >>> of_rows([RowProblem(2, "Amount", "Empty."), RowProblem(3, None, "Odd."), RowProblem(5, "Amount", "Empty.")])[0]
    ProblemOfRows(lines=(2, 5), column='Amount', message='Empty.')
    """
    lines: dict[tuple[str | None, str], list[int]] = {}
    for line, column, message in problems:
        lines.setdefault((column, message), []).append(line)
    return tuple(ProblemOfRows(tuple(its), column, message) for (column, message), its in lines.items())
