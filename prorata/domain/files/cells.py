"""What a cell of a table holds, as its file gives it."""

import re
from datetime import date
from decimal import Decimal
from typing import Self

from prorata.domain.number_parsing import in_one_form
from prorata.domain.texts import say

_SIDE = re.compile(r"\(?(?:CR|DR|CREDIT|DEBIT)\.?\)?", re.IGNORECASE)
_BESIDE_ITS_NUMBER = say(
    "This cell shows a minus, parentheses, Cr or Dr beside its number, and the number itself has another sign. "
    "Write the amount with its sign, and nothing beside it."
)


def is_side(text: str) -> bool:
    """Whether a word beside an amount says which side of a ledger it is on.

    >>> [is_side(text) for text in ("Cr", "dr.", "(CR)", "€", "kWh")]
    [True, True, True, False, False]
    """
    return _SIDE.fullmatch(text) is not None


def is_sign(text: str) -> bool:
    """Whether what is shown beside a number would be a sign of it: a minus, parentheses, or a side."""
    return in_one_form(text) in ("-", "(") or is_side(text)


class Unclear(ValueError):
    """A cell that says nothing, or two things. `why` is a sentence for the person who wrote the file."""

    @property
    def why(self) -> str:
        """The sentence, which a page says in its language; `str` has its English words alone."""
        said: str = self.args[0]
        return said


class Priced(Decimal):
    """A number that a spreadsheet shows with the sign or code of a currency, which is no part of its value; or with
    what would be a sign of it (`is_sign`), which is no part of it either.

    >>> Priced("70", "€"), Priced("70", "€").sign, Priced("70", "€") == 70
    (Decimal('70'), '€', True)
    """

    sign: str

    def __new__(cls, number: str | Decimal, sign: str) -> Self:
        """The number, and what its cell shows beside it."""
        made = super().__new__(cls, number)
        made.sign = sign
        return made

    def refuse_a_side(self) -> None:
        """Raises `Unclear` where the cell shows a sign that its number does not have."""
        if is_sign(self.sign):
            raise Unclear(_BESIDE_ITS_NUMBER)

    def __reduce__(self) -> tuple[type[Self], tuple[str, str]]:  # type: ignore[override]
        """As it goes from process to process."""
        return type(self), (str(self), self.sign)


Cell = str | Decimal | date | Unclear | None
"""A cell as its file gives it: CSV gives text; XLSX gives exact numbers and dates too. None is an empty cell, and
`Unclear` one whose file says something, but not what: a formula's error."""
