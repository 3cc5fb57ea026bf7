"""What stands around a fact of a bill and says that it is of something else: another bill, a bank, a deposit."""

import re
from collections.abc import Sequence

from prorata.domain.bill_reading.former import is_of_before
from prorata.domain.bill_reading.pieces import ALIGNED, LETTERS, LONGEST_HEADING
from prorata.domain.bill_reading.texts import plain
from prorata.domain.bill_reading.times import is_a_month_or_year
from prorata.domain.bill_reading.words import Place, Row

_BANK = re.compile(r"\b(sort code|iban|bic|swift|routing|bank|banking|blz|bankleitzahl|rib|banque|banco)\b")
_CLOSE = 3
"""Lines around a label within which words of a bank say that it is a bank's."""
_NEAR = 15
"""Lines above a value within which its column is headed."""


def is_under_a_former_bill(rows: Sequence[Row], line: int, place: Place) -> bool:
    """Whether the words next above a value, in its column, speak of an earlier bill."""
    for row in reversed(rows[max(0, line - _NEAR) : line]):
        for cell in row:
            there = cell.place.left < place.right and place.left < cell.place.right
            if there and len(row) > 1 and is_a_month_or_year(cell.text):
                return True
            if there and _is_bare(cell.text):
                return len(row) > 1 and is_of_before(cell.text)
    return False


def is_beside_a_bank(rows: Sequence[Row], line: int, place: Place) -> bool:
    """Whether words of a bank stand close to a label, in its column: the account is the one to pay to."""
    near = (cell for row in rows[max(0, line - _CLOSE) : line + _CLOSE + 1] for cell in row)
    return any(_BANK.search(plain(cell.text)) for cell in near if abs(cell.place.left - place.left) <= ALIGNED)


def is_in_a_former_section(rows: Sequence[Row], line: int, place: Place) -> bool:
    """Whether the heading above a label, which stands alone on its line where the label begins, speaks of another
    bill.
    """
    for row in reversed(rows[:line]):
        if len(row) == 1 and abs(row[0].place.left - place.left) <= ALIGNED and _is_bare(text := row[0].text):
            return len(text.split()) <= LONGEST_HEADING and not text.endswith(".") and is_of_before(text)
    return False


def _is_bare(text: str) -> bool:
    """Whether a text is words without figures."""
    return bool(LETTERS.search(text)) and not any(letter.isdigit() for letter in text)
