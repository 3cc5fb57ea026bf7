"""What is wrong for one and the same reason, told together: files that were not taken, and rows of a file."""

from collections.abc import Iterable
from typing import NamedTuple

from prorata.domain.files.sheets import RowProblem


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


class ProblemOfRows(NamedTuple):
    """What is wrong with a column in some lines."""

    lines: tuple[int, ...]
    column: str | None
    message: str


def of_rows(problems: Iterable[RowProblem]) -> tuple[ProblemOfRows, ...]:
    """The problems of rows, each said once with the lines that have it, in the order in which they come first.

    >>> of_rows([RowProblem(2, "Amount", "Empty."), RowProblem(3, None, "Odd."), RowProblem(5, "Amount", "Empty.")])[0]
    ProblemOfRows(lines=(2, 5), column='Amount', message='Empty.')
    """
    lines: dict[tuple[str | None, str], list[int]] = {}
    for line, column, message in problems:
        lines.setdefault((column, message), []).append(line)
    return tuple(ProblemOfRows(tuple(its), column, message) for (column, message), its in lines.items())
