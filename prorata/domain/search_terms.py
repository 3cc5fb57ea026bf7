"""Search for records by the beginnings of words, ignoring case, accents and punctuation.

The search gives the same results on SQLite and PostgreSQL.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import NamedTuple

from prorata.domain.labels import natural_order
from prorata.domain.limits import (
    LARGEST_SEARCHED_AMOUNT,
    LONGEST_SEARCH_KEY,
    LONGEST_SEARCHED_WORD,
    MOST_SEARCHED_WORDS,
    MOST_WORDS_OF_RECORD,
)
from prorata.domain.money import CENTS
from prorata.domain.month_names import ANY_MONTH, MONTH_NUMBERS
from prorata.domain.number_parsing import readings

LAST_CHARACTER = "\U0010ffff"
"""The highest Unicode character, which sorts after all others.

In sorted order, words that begin with `x` lie between `x` and `x` followed by this character.
"""
_WORD = re.compile(r"[^\W_]+")
_PIECE = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
"""A pattern for a word, or words joined by an apostrophe or a hyphen."""
_MARKS = str.maketrans(
    dict.fromkeys("\u2018\u2019\u02bc\u02bb\u00b4\u0060\u2032", "'")
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-")
)
"""The replacements for variants of the apostrophe and the hyphen."""
_AMOUNT = re.compile(
    r"(?<![\w.,@'-])(-?)((?:[A-Z]{0,3}[$€£]|CHF|EUR|USD|CAD|AUD|NZD|GBP)\s?)?"
    r"([0-9]{1,3}(?:\s[0-9]{3})+[.,][0-9]{2}|[0-9]+(?:[.,'][0-9]+)*)"
    r"(\s?(?:[$€£]|CHF\b|EUR\b|USD\b))?(?![\w@]|[.,'-]\w)"
)
_SPACES = re.compile(r"\s")
_MONTH = re.compile(r"(?<![0-9])([0-9]{4})-(0[1-9]|1[0-2])(?![0-9])")
_DIGITS_OF_A_SHORT_YEAR = 2
_ONE_OF_THEM = rf"(?<!\w)({ANY_MONTH})"
_MONTH_IN_WORDS = re.compile(rf"{_ONE_OF_THEM}[.,]?\s+(?:de\s+)?((?:19|20)[0-9]{{2}})(?![\w-])")
"""A pattern for a month in words with its year.

The year is required, because people are also named April and June.
"""
_A_MONTH = re.compile(
    rf"{_ONE_OF_THEM}[.,]?[\s/'-]*(?:de\s+)?((?:19|20)?[0-9]{{2}})|((?:19|20)[0-9]{{2}})[\s/-]+{_ONE_OF_THEM}[.]?"
)
_MONTH_ALONE = re.compile(rf"{_ONE_OF_THEM}(?![\w'-])[.,]?")
_HALF_A_MONTH = re.compile(r"^([^-]+-[^-]+(?:-[^-]+)*?)-(?:19|20)[0-9]{2}(?:-[01])?$")
_MARK_OF_NUMBER = re.compile(r"(?<![\w.@-])([^\W_]+-[^\W_]+|[^\W_]+(?=\.[0-9]*r[0-9]))\.(?:[0-9]*r)?[0-9]+(?=-|\s|$)")
"""A pattern for numbers of replacing invoices and of a unit's further households."""
_NOT_DECOMPOSED = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h"}
)


class Word(NamedTuple):
    """A word of a search; a record must contain a word that begins with it.

    A compound such as O'Neill or Smith-Jones matches if a word of the record begins with the `whole` compound, or
    if each of its `parts` begins a word of the record.
    """

    whole: str
    parts: tuple[str, ...] = ()


class Wanted(NamedTuple):
    """A parsed search: required words, and the month and amount in cents, if given."""

    words: tuple[Word, ...] = ()
    month: str | None = None
    amount: int | None = None

    @property
    def is_nothing(self) -> bool:
        """True if the search has no condition, for instance because its text is only punctuation."""
        return self == Wanted()


def folded(text: str) -> str:
    """Normalize the case, accents, apostrophes and hyphens of a text.

    >>> folded("Łukasz Ørsted, Straße 12É, O’Neill")
    "lukasz orsted, strasse 12e, o'neill"
    """
    if text.isascii():
        return text.casefold().translate(_MARKS)
    text = unicodedata.normalize("NFKD", text.translate(_MARKS))
    plain = unicodedata.normalize("NFKD", text.casefold()).translate(_MARKS)
    return "".join(letter for letter in plain if not unicodedata.combining(letter)).translate(_NOT_DECOMPOSED)


@lru_cache(maxsize=65_536)
def order_of(name: str) -> str:
    """Return the sort key of a name for natural order.

    The order ignores case, accents, apostrophes and hyphens, and puts 2 before 10.

    >>> sorted(["Zoe", "Ödön", "de Vries", "Odell", "O’Neill", "Dean", "Oneal"], key=order_of)
    ['de Vries', 'Dean', 'Odell', 'Ödön', 'Oneal', 'O’Neill', 'Zoe']
    """
    return natural_order(folded(name).replace("'", "").replace("-", " "))[:LONGEST_SEARCH_KEY]


def words_of(*texts: str | None) -> frozenset[str]:
    """Return the words by which a record with these `texts` is found.

    They are the parts of each compound, and the compound itself.

    >>> sorted(words_of("Maple Court", None, "12-B"))
    ['12', '12b', 'b', 'court', 'maple']
    """
    words: dict[str, None] = {}
    for piece in (piece for text in texts if text for piece in _PIECE.findall(folded(text))):
        parts = _WORD.findall(piece)
        words |= dict.fromkeys(word[:LONGEST_SEARCHED_WORD] for word in (*parts, "".join(parts)))
    return frozenset(list(words)[:MOST_WORDS_OF_RECORD])


def words_of_email(email: str | None) -> frozenset[str]:
    """Return the words by which an e-mail address is found.

    They are the address itself, and the words before its @.

    >>> sorted(words_of_email("Ann.Chen@example.org"))
    ['ann', 'ann.chen@example.org', 'chen']
    """
    if not email:
        return frozenset()
    return words_of(email.rpartition("@")[0]) | {folded(email)[:LONGEST_SEARCHED_WORD]}


def parts_of(text: str) -> frozenset[str]:
    """Return the individual words of a text, in lower case.

    >>> sorted(parts_of("O'Neill & Sons"))
    ['neill', 'o', 'sons']
    """
    return frozenset(word[:LONGEST_SEARCHED_WORD] for word in _WORD.findall(folded(text)))


def wanted(text: str) -> Wanted:
    """Parse a search text, extracting a month and an amount.

    A month is written as in invoice numbers, or in words with its year. An amount has two decimals or a currency
    sign. The remaining text is split into words. An invoice number is one word with parts; the suffix for a
    further household or a replacing invoice, such as `.1R2`, is ignored. An e-mail address is one word.

    >>> wanted("maple July 2025").words, wanted("jul 2025").month
    ((Word(whole='maple', parts=()),), '2025-07')
    >>> wanted("Août 2025").month, wanted("octubre de 2025").month, wanted("März 2025").month
    ('2025-08', '2025-10', '2025-03')
    >>> wanted("MAPLE-2B-2026-03").words
    (Word(whole='maple2b', parts=('maple', '2b')),)
    >>> wanted("MAPLE-2B.1R2-2026-03") == wanted("MAPLE-2B.R1-2026-03") == wanted("MAPLE-2B-2026-03")
    True
    >>> wanted("2B.R1").words
    (Word(whole='2b', parts=()),)
    >>> wanted("oneill $1,204.95").amount, wanted("204,95").amount, wanted("unit 204").amount
    (120495, 20495, None)
    >>> wanted("ann.chen@exam").words
    (Word(whole='ann.chen@exam', parts=()),)
    """
    text, amount = _without_amount(text)
    text = _MONTH_IN_WORDS.sub(_as_in_numbers, _MARK_OF_NUMBER.sub(r"\1", folded(text)))
    month = _MONTH.search(text)
    rest = _MONTH.sub(" ", text)
    words: dict[Word, None] = {}
    for piece in rest.split():
        if "@" in piece.strip("@"):
            words[Word(piece[:LONGEST_SEARCHED_WORD])] = None
        else:
            words |= dict.fromkeys(map(_word, _PIECE.findall(piece)))
    return Wanted(tuple(words)[:MOST_SEARCHED_WORDS], month.group() if month else None, amount)


def month_in_words(text: str) -> str | None:
    """Parse text that is only a month and year in words; None for other text.

    >>> month_in_words("March 2025"), month_in_words("Mar-25"), month_in_words("2025 März")
    ('2025-03', '2025-03', '2025-03')
    >>> month_in_words("March"), month_in_words("March 5, 2025")
    (None, None)
    """
    match = _A_MONTH.fullmatch(folded(text).strip())
    if match is None:
        return None
    year, name = (match[2], match[1]) if match[1] else (match[3], match[4])
    return f"{year if len(year) > _DIGITS_OF_A_SHORT_YEAR else f'20{year}'}-{MONTH_NUMBERS[name]:02d}"


def month_without_year(text: str) -> tuple[str, str] | None:
    """Extract a month without a year from a search text, or return None.

    The result is the month's number in a form such as `-10`, like the end of `2026-10`, and the remaining text.
    The result is None if the text contains no such month.

    >>> month_without_year("Maple October"), month_without_year("Octavia"), month_without_year("oct 2026")
    (('-10', 'maple'), None, None)
    """
    text = _MONTH_IN_WORDS.sub(" ", folded(text))
    match = _MONTH_ALONE.search(text)
    if match is None:
        return None
    rest = f"{text[: match.start()]} {text[match.end() :]}"
    return f"-{MONTH_NUMBERS[match[1]]:02d}", " ".join(rest.split())


def _word(piece: str) -> Word:
    """Parse a typed word, ignoring an incomplete month at the end of an invoice number.

    The search thus finds an invoice at every moment while its number is being typed.

    >>> _word("maple-2b-2026"), _word("maple-2026").parts
    (Word(whole='maple2b', parts=('maple', '2b')), ('maple', '2026'))
    """
    piece = _HALF_A_MONTH.sub(r"\1", piece)
    parts = [part[:LONGEST_SEARCHED_WORD] for part in _WORD.findall(piece)]
    return Word("".join(parts)[:LONGEST_SEARCHED_WORD], tuple(parts[:MOST_SEARCHED_WORDS]) if len(parts) > 1 else ())


def _without_amount(text: str) -> tuple[str, int | None]:
    """Extract the first amount of a search text, in cents.

    A comma with two digits after it is a decimal mark in any locale, so no locale is needed.

    >>> _without_amount("maple 1.204,95 €"), _without_amount("-CHF 5.00"), _without_amount("$1,204")
    (('maple  ', 120495), (' ', -500), (' ', 120400))
    >>> _without_amount("2 204"), _without_amount("1.2.2026")
    (('2 204', None), ('1.2.2026', None))
    """
    text = text.translate(_MARKS)
    for match in _AMOUNT.finditer(text):
        minus, before, number, behind = match.groups()
        read = readings(_SPACES.sub(" ", number), has_decimal_comma=True)
        ratios = [value.scaleb(CENTS).as_integer_ratio() for value in read]
        cents = [whole for whole, parts in ratios if parts == 1]
        has_cents = re.search(rf"[.,][0-9]{{{CENTS}}}$", number)
        if len(cents) == 1 and cents[0] < LARGEST_SEARCHED_AMOUNT and (before or behind or has_cents):
            return f"{text[: match.start()]} {text[match.end() :]}", -cents[0] if minus else cents[0]
    return text, None


def _as_in_numbers(match: re.Match[str]) -> str:
    return f"{match[2]}-{MONTH_NUMBERS[match[1]]:02d}"


def begins_in(words: Iterable[str], beginning: str) -> bool:
    """True if at least one of `words` begins with the text `beginning`."""
    return any(word.startswith(beginning) for word in words)


def have_all(words: Collection[str], beginnings: Collection[str]) -> bool:
    """True if there are `beginnings`, and each of them begins at least one of `words`.

    >>> have_all(("aqua", "water"), ("wat", "a")), have_all(("aqua",), ("wat", "a")), have_all(("aqua",), ())
    (True, False, False)
    """
    return bool(beginnings) and all(begins_in(words, beginning) for beginning in beginnings)
