"""What is found by typing some of it: words without regard to case, accents and signs, the same on both databases."""

import re
import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

LONGEST_WORD = 64
MOST_WORDS = 5
"""Words of a search that are looked at; further ones are passed over."""
MOST_WORDS_OF_RECORD = 40
LAST_CHARACTER = "\U0010ffff"
"""Behind every other: words that begin with `x` lie from `x` to `x` and this."""
_WORD = re.compile(r"[^\W_]+")
_MONTH = re.compile(r"(?<![0-9])([0-9]{4})-(0[1-9]|1[0-2])(?![0-9])")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH_IN_WORDS = re.compile(
    r"(?<!\w)(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)[.,]?\s+((?:19|20)[0-9]{2})(?![\w-])"
)
"""A month in English words with its year: people are named April and June too."""
_NOT_DECOMPOSED = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h"}
)


class Wanted(NamedTuple):
    """What somebody searches for: beginnings of words that have to be there, and a month if one is named."""

    words: tuple[str, ...]
    month: str | None = None


def folded(text: str) -> str:
    """A text without regard to case and accents.

    >>> folded("Łukasz Ørsted, Straße 12É")
    'lukasz orsted, strasse 12e'
    """
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return "".join(letter for letter in plain if not unicodedata.combining(letter)).translate(_NOT_DECOMPOSED)


def words_of(*texts: str | None) -> frozenset[str]:
    """The words by which a record is found that says `texts`.

    >>> sorted(words_of("Maple Court", None, "12-B"))
    ['12', 'b', 'court', 'maple']
    """
    found = dict.fromkeys(word[:LONGEST_WORD] for text in texts if text for word in _WORD.findall(folded(text)))
    return frozenset(list(found)[:MOST_WORDS_OF_RECORD])


def words_of_email(email: str | None) -> frozenset[str]:
    """The words by which an address is found: all of it, and those before the @; everybody's provider is no word.

    >>> sorted(words_of_email("Ann.Chen@example.org"))
    ['ann', 'ann.chen@example.org', 'chen']
    """
    if not email:
        return frozenset()
    return words_of(email.rpartition("@")[0]) | {folded(email)[:LONGEST_WORD]}


def wanted(text: str) -> Wanted:
    """What a search text asks for. A month is taken out of it, as it stands in invoice numbers or in English words.

    >>> wanted("MAPLE-2B-2026-03")
    Wanted(words=('maple', '2b'), month='2026-03')
    >>> wanted("maple July 2025"), wanted("jul 2025")
    (Wanted(words=('maple',), month='2025-07'), Wanted(words=(), month='2025-07'))
    >>> wanted("ann.chen@exam")
    Wanted(words=('ann.chen@exam',), month=None)
    """
    text = _MONTH_IN_WORDS.sub(_as_in_numbers, folded(text))
    month = _MONTH.search(text)
    rest = _MONTH.sub(" ", text)
    found: dict[str, None] = {}
    for piece in rest.split():
        pieces: Iterable[str] = [piece] if "@" in piece.strip("@") else _WORD.findall(piece)
        found |= dict.fromkeys(word[:LONGEST_WORD] for word in pieces)
    return Wanted(tuple(found)[:MOST_WORDS], month.group() if month else None)


def _as_in_numbers(found: re.Match[str]) -> str:
    return f"{found[2]}-{_MONTHS.index(found[1][:3]) + 1:02d}"


def begins_in(words: Iterable[str], beginning: str) -> bool:
    """Whether one of `words` begins so."""
    return any(word.startswith(beginning) for word in words)
