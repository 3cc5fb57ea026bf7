"""What a cell of a table holds, as its file gives it."""

from datetime import date
from decimal import Decimal
from typing import Self


class Unclear(ValueError):
    """A cell that says nothing, or two things. Its text is a sentence for the person who wrote the file."""


class Priced(Decimal):
    """A number that a spreadsheet shows with the sign or code of a currency, which is no part of its value.

    >>> Priced("70", "€"), Priced("70", "€").sign, Priced("70", "€") == 70
    (Decimal('70'), '€', True)
    """

    sign: str

    def __new__(cls, number: str | Decimal, sign: str) -> Self:
        """The number, and what its cell shows beside it."""
        made = super().__new__(cls, number)
        made.sign = sign
        return made

    def __reduce__(self) -> tuple[type[Self], tuple[str, str]]:  # type: ignore[override]
        """As it goes from process to process."""
        return type(self), (str(self), self.sign)


Cell = str | Decimal | date | Unclear | None
"""A cell as its file gives it: CSV gives text; XLSX gives exact numbers and dates too. None is an empty cell, and
`Unclear` one whose file says something, but not what: a formula's error."""
