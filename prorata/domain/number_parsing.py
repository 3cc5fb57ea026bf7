"""Parsing numbers that people typed: which marks are decimal marks or thousands separators.

Only this module decides between the two. For an ambiguous string, it returns both numbers, so that the caller can
refuse the string and never has to guess.
"""

import re
from decimal import Decimal

from prorata.domain.limits import LONGEST_TYPED_NUMBER

_THOUSANDS = 3
"""The number of digits between thousands separators."""
_WRITTEN = re.compile(r"[0-9.,' ]+", re.ASCII)
_WHOLE = re.compile(r"[0-9]+|[1-9][0-9]{0,2}([.,' ])[0-9]{3}(?:\1[0-9]{3})*", re.ASCII)
_WHOLE_BY_LAKH = re.compile(r"[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3}", re.ASCII)
_ONE_FORM = str.maketrans("−–—‐‑‒﹣－’\xa0\u202f\u2009\t", "--------'    ")


def in_one_form(text: str) -> str:
    """Normalize a text's minus signs, apostrophes and spaces, and trim the text.

    >>> in_one_form("−1 250,5 ")
    '-1 250,5'
    """
    return text.translate(_ONE_FORM).strip()


def readings(number: str, *, has_decimal_comma: bool, by_lakh: bool = False) -> tuple[Decimal, ...]:
    """List every number that a string may mean: up to two, the larger first.

    `has_decimal_comma` means that a comma may be the decimal mark in the place of origin. With `by_lakh`, digits
    may also be grouped as in India (`1,00,000`). The rules:

    - Two kinds of marks: the last one is the decimal mark, anywhere in the world (`1,234.50`, `1.234,50`).
    - A repeated mark separates thousands (`1.234.567`). So do spaces and apostrophes, which are never decimal marks.
    - A single dot or comma is a decimal mark if the number of digits after it is not three. This holds for a dot
      everywhere, because every program writes numbers that way (`80.00` in a German file), but for a comma only with
      `has_decimal_comma`.
    - A single dot with exactly three digits after it is ambiguous everywhere: programs use it as the decimal mark, and
      much of the world separates thousands with it. A comma is ambiguous with `has_decimal_comma`; without it, as in
      the US, it can only separate thousands. After a zero, or after more than three digits, no mark separates
      thousands.

    >>> readings("1,234", has_decimal_comma=False), readings("0,125", has_decimal_comma=True)
    ((Decimal('1234'),), (Decimal('0.125'),))
    >>> readings("1,234", has_decimal_comma=True)
    (Decimal('1234'), Decimal('1.234'))
    >>> readings("12,5", has_decimal_comma=False)
    ()
    """
    if len(number) > LONGEST_TYPED_NUMBER or not _WRITTEN.fullmatch(number):
        return ()
    marks = [character for character in number if not character.isdigit()]
    last = marks[-1] if marks else ""
    if not last or last not in ".," or marks.count(last) > 1:
        return _read(number, "", by_lakh=by_lakh)
    head, tail = number.rsplit(last, 1)
    is_point_or_comma_of_decimals = last == "." or has_decimal_comma or len(marks) > 1
    decimal = _read(head, tail, by_lakh=by_lakh) if is_point_or_comma_of_decimals and tail else ()
    if len(marks) == 1 and len(tail) == _THOUSANDS and _WHOLE.fullmatch(number):
        return (*_read(number, "", by_lakh=by_lakh), *decimal)
    return decimal


def reading_with(number: str, mark: str, *, by_lakh: bool = False) -> tuple[Decimal, ...]:
    """Read a number whose decimal `mark` is known, a dot or a comma.

    The result is empty if the number is malformed. With `by_lakh`, digits may also be grouped as in India.

    >>> reading_with("1.234", ","), reading_with("1.234,5", ","), reading_with("80.10", ",")
    ((Decimal('1234'),), (Decimal('1234.5'),), ())
    """
    if len(number) > LONGEST_TYPED_NUMBER or not _WRITTEN.fullmatch(number):
        return ()
    whole, mark_found, decimals = number.partition(mark)
    if (mark_found and not decimals) or not (decimals or "0").isdigit():
        return ()
    return _read(whole, decimals, by_lakh=by_lakh)


def decimal_marks_of(number: str) -> frozenset[str]:
    """Return the possible decimal marks of a written number; empty for other text.

    >>> [sorted(decimal_marks_of(one)) for one in ("1.234,50", "80.10", "1,234", "1.234.567", "12", "1,2,3")]
    [[','], ['.'], [',', '.'], [','], [',', '.'], []]
    """
    return frozenset(mark for mark in ".," if reading_with(number, mark))


def _read(whole: str, decimals: str, *, by_lakh: bool) -> tuple[Decimal, ...]:
    if not (_WHOLE.fullmatch(whole) or (by_lakh and _WHOLE_BY_LAKH.fullmatch(whole))):
        return ()
    digits = "".join(character for character in whole if character.isdigit())
    return (Decimal(f"{digits}.{decimals}" if decimals else digits),)


def written_plainly(value: Decimal, mark: str, *, places: int = 0) -> str:
    """Format a number for a form field, without thousands separators.

    `mark` is the decimal mark of the form's user. The result has at least `places` decimals. If there are exactly
    three decimals, which could be taken for thousands, a zero is added.

    >>> written_plainly(Decimal("1250.50"), ","), written_plainly(Decimal("25"), ",", places=2)
    ('1250,5', '25,00')
    >>> written_plainly(Decimal("33.333"), "."), written_plainly(Decimal("0.125"), ".")
    ('33.3330', '0.125')
    """
    text = format(value, "f")
    whole, _, decimals = text.partition(".")
    decimals = decimals.rstrip("0").ljust(places, "0")
    if len(decimals) == _THOUSANDS and _WHOLE.fullmatch(f"{whole.lstrip('-')}.{decimals}"):
        decimals += "0"
    return f"{whole}{mark}{decimals}" if decimals else whole
