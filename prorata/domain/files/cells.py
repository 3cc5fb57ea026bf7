"""The contents of table cells as read from a file."""

import re
from datetime import date
from decimal import Decimal
from typing import Self

from prorata.domain.number_parsing import in_one_form
from prorata.domain.texts import say

_SIDE = re.compile(r"\(?(?:CR|DR|CREDIT|DEBIT)\.?\)?", re.IGNORECASE)
_BESIDE_ITS_NUMBER = say(
    "This cell shows a minus sign, parentheses, Cr or Dr beside its number, but the number itself has a different "
    "sign. Enter the amount with its sign and nothing beside it."
)


def is_side(text: str) -> bool:
    """True if a word beside an amount marks it as debit or credit.

    >>> [is_side(text) for text in ("Cr", "dr.", "(CR)", "€", "kWh")]
    [True, True, True, False, False]
    """
    return _SIDE.fullmatch(text) is not None


def is_sign(text: str) -> bool:
    """True if the text beside a number is a sign: minus, parenthesis, debit or credit."""
    return in_one_form(text) in ("-", "(") or is_side(text)


class Unclear(ValueError):
    """Raised for a meaningless or ambiguous cell; `why` is a sentence for the file's author."""

    @property
    def why(self) -> str:
        """The sentence that explains the problem.

        Pages can translate this sentence; `str` of the exception is only the English text.
        """
        sentence: str = self.args[0]
        return sentence


class Priced(Decimal):
    """A number that a spreadsheet shows with text beside it, such as a currency sign.

    `sign` is that text. It is not part of the value, even if it looks like a minus or a parenthesis (`is_sign`).

    >>> Priced("70", "€"), Priced("70", "€").sign, Priced("70", "€") == 70
    (Decimal('70'), '€', True)
    """

    sign: str

    def __new__(cls, number: str | Decimal, sign: str) -> Self:
        """Create the number; `sign` is the text that its cell shows next to it."""
        made = super().__new__(cls, number)
        made.sign = sign
        return made

    def refuse_a_side(self) -> None:
        """Raise `Unclear` if the cell shows a sign beside its number, such as a minus.

        The number itself does not have this sign, so the cell is ambiguous.
        """
        if is_sign(self.sign):
            raise Unclear(_BESIDE_ITS_NUMBER)

    def __reduce__(self) -> tuple[type[Self], tuple[str, str]]:  # type: ignore[override]
        """Pickle the number together with the text beside it (`sign`)."""
        return type(self), (str(self), self.sign)


Cell = str | Decimal | date | Unclear | None
"""The value of a cell as read from its file.

CSV gives text; XLSX also gives exact numbers and dates. None is an empty cell, and `Unclear` a cell without a usable
value, such as a formula's error.
"""
