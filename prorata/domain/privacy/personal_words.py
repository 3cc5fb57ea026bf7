"""The words that identify a person in a text, and the removal of these words."""

import html
import json
import re
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple
from unicodedata import combining, name as name_of, normalize

from prorata.domain.limits import FEWEST_CHARACTERS_CUT

FORMER_TENANT = "Former tenant"
"""The replacement for an erased tenant's name.

It replaces the tenant's own name and that of their messages at once (`store/privacy/own_records.py`), each mention in
texts about several tenants (`shared_texts.py` there), and, years later, the name on sent invoices (`sent_records.py`).
"""
_QUOTE = r'\\?"'
_BETWEEN = rf"(?:[\s,;|-]|\\n|\\r|{_QUOTE}(?= ?[,;\t|])|(?<=[,;\t|]){_QUOTE}|(?<=[,;\t|] ){_QUOTE})+"
"""A pattern of separators between words in text, in JSON and in table columns.

The words are those of a name or an address.
"""
_COLUMNS = re.compile(rf"{_QUOTE} ?[,;\t|] ?(?:{_QUOTE})?|[,;\t|] ?{_QUOTE}|[;|](?! )|,(?![\s])|\t")
"""A pattern of the separators that end a column of a table.

If such a separator were removed, its row would have fewer columns.
"""


_PLAIN = re.compile(r"[A-Za-z0-9]+")
_IN_TWO_LETTERS = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "ø": "oe", "å": "aa", "æ": "ae"}
    | {"œ": "oe", "đ": "dj", "ð": "d", "þ": "th"}
    | {"Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "Ø": "Oe", "Å": "Aa", "Æ": "Ae"}
    | {"Œ": "Oe", "Đ": "Dj", "Ð": "D", "Þ": "Th"}
)
"""The replacements for special letters in bank files, which contain only English letters."""
_ALTERED = re.compile(r"LATIN (SMALL|CAPITAL) LETTER (?:DOTLESS )?([A-Z])(?: WITH .*)?")
"""The pattern of Unicode names of letters with marks.

An example is "LATIN SMALL LETTER L WITH STROKE".
"""


class PersonalWords(NamedTuple):
    """The names, e-mail addresses and postal addresses of a person, as they were entered."""

    names: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()

    @classmethod
    def of(cls, names: Iterable[str | None], addresses: Iterable[str | None]) -> "PersonalWords":
        """Collect each name and address once, without those that are empty or too short.

        >>> PersonalWords.of(["Ada Byron", "Ada Byron", None], ["ada@example.com", ""])
        PersonalWords(names=('Ada Byron',), addresses=('ada@example.com',))
        """
        kept = (
            tuple(
                sorted(
                    {
                        text.strip()
                        for text in some
                        if text and len(text.strip()) >= FEWEST_CHARACTERS_CUT and text.strip() != FORMER_TENANT
                    }
                )
            )
            for some in (names, addresses)
        )
        return cls(*kept)

    def without(self, others: Iterable[str]) -> "PersonalWords":
        """Return the names and addresses that aren't also other people's.

        Names of a single word are left out too, because they may occur in texts about other people. Different
        spellings of a name, such as Müller and Mueller, are the same.

        >>> PersonalWords(("Ada", "Ada Byron", "Jo March"), ("ada@example.com",)).without(["jo march"])
        PersonalWords(names=('Ada Byron',), addresses=('ada@example.com',))
        >>> PersonalWords(("Jürgen Müller",)).without(["Mueller, Hans Juergen"]).names
        ()
        """
        others = list(others)
        exact, folded = {other.casefold() for other in others}, [_folded_words(other) for other in others]
        own = [(name, _folded_words(name)) for name in self.names if len(name.split()) > 1]
        names = (name for name, words in own if not any(words <= of_other for of_other in folded))
        return PersonalWords(tuple(names), tuple(text for text in self.addresses if text.casefold() not in exact))

    @property
    def searched(self) -> list[tuple[str, ...]]:
        """Parts of words by which a database search finds a name or an address.

        Each item is for the longest word of a name or address, in one capitalization. It consists of the
        pieces of the word that remain if letters with several spellings are taken out. Any text with the word
        contains these pieces, in this order.

        >>> PersonalWords(("Ed Öztürk",)).searched
        [('ZT', 'RK'), ('zt', 'rk')]
        """
        longest = {max(_words(one), key=_plain_letters, default="") for one in (*self.names, *self.addresses)}
        found = set[tuple[str, ...]]()
        for word in longest:
            for way in (word, word.upper(), word.lower(), word.title()):
                parts = tuple(_PLAIN.findall(way))
                has_enough = _plain_letters(way) >= FEWEST_CHARACTERS_CUT
                found |= {parts} if has_enough else {(one,) for one in _written(way)}
        return sorted(found)


class Cutter:
    r"""A tool that removes a person's names and addresses, however they are written.

    Letter case, the order of names and the layout of addresses don't matter.

    >>> cutter = Cutter(PersonalWords(("Ada Byron",), ("12 Elm St\nSpringfield",)))
    >>> cutter.cut("Key to ada byron and to BYRON, ADA at 12 Elm St, Springfield; not to Adam Byron.")
    'Key to Former tenant and to Former tenant at Former tenant; not to Adam Byron.'
    """

    def __init__(self, words: PersonalWords) -> None:
        self._words = words

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        ways = [_way(_words(one)) for one in (*self._words.names, *self._words.addresses)]
        turned = ([last, *first] for *first, last in map(str.split, self._words.names) if first)
        ways += [_way(_words(" ".join(one))) for one in turned]
        longest_first = sorted(ways, key=len, reverse=True)
        return re.compile(rf"(?<!\w)(?:{'|'.join(longest_first)})(?!\w)", re.IGNORECASE) if ways else None

    @cached_property
    def _hints(self) -> set[tuple[str, ...]]:
        return {tuple(part.lower() for part in way) for way in self._words.searched}

    def finds(self, text: str) -> bool:
        """True if the text contains a name or an address."""
        return self._may_find(text) and self._pattern is not None and self._pattern.search(text) is not None

    def cut(self, text: str) -> str:
        """Replace each name and address in a text with `FORMER_TENANT`."""
        return self._pattern.sub(_replaced, text) if self._pattern and self._may_find(text) else text

    def _may_find(self, text: str) -> bool:
        """Return False if a text certainly contains no name or address of the person.

        This check is 30 times as fast as searching with the regular expression.
        """
        lower = text.lower()
        return any(all(part in lower for part in way) for way in self._hints)


def _replaced(found: re.Match[str]) -> str:
    """Return `FORMER_TENANT`, with the column separators that the removed text contained.

    The separators are kept so that a row of a table has as many columns as before.

    >>> Cutter(PersonalWords(("Ada Byron",))).cut('"Byron","Ada";1 and Ada;Byron')
    '"Former tenant","";1 and Former tenant;'
    """
    return FORMER_TENANT + "".join(_COLUMNS.findall(found.group()))


def _plain(text: str) -> str:
    """Write a text in plain letters, without accents, strokes and other marks.

    >>> _plain("Łukasz Đorđević"), _plain("Søren Kjærgård")
    ('Lukasz Dordevic', 'Soren Kjaergard')
    """
    return "".join(_plain_letter(letter) for letter in normalize("NFD", text) if not combining(letter))


def _plain_letter(letter: str) -> str:
    altered = None if letter.isascii() else _ALTERED.fullmatch(name_of(letter, ""))
    if altered is None:
        return letter.translate(_IN_TWO_LETTERS)
    case, base = altered.groups()
    return base if case == "CAPITAL" else base.lower()


def _way(words: Iterable[str]) -> str:
    """Build a regular expression for consecutive words, each in any of its forms (`_written`)."""
    return _BETWEEN.join(f"(?:{'|'.join(map(re.escape, _written(word)))})" for word in words)


def _words(text: str) -> list[str]:
    """Split a name or an address into words, also at hyphens."""
    return [one for one in re.split(r"[\s,;-]+", text) if one]


def _folded_words(name: str) -> frozenset[str]:
    """Reduce a name to its words in one spelling.

    For example, "Jürgen", "JUERGEN" and "Jurgen" are the same word.
    """
    letters = _plain(name.casefold().translate(_IN_TWO_LETTERS))
    return frozenset(re.sub("([aou])e|aa|dj|th", lambda two: two.group()[0], word) for word in _words(letters))


def _plain_letters(word: str) -> int:
    return sum(map(len, _PLAIN.findall(word)))


def _written(word: str) -> list[str]:
    """List the forms in which a word may be written in text, XML and JSON.

    The forms differ in case, accents and escapes. The example shows only the forms with plain letters.

    >>> [one for one in _written("Öz") if one.isascii() and one.isalpha()]
    ['OEZ', 'OZ', 'Oez', 'Oz', 'oez', 'oz']
    """
    whole = normalize("NFC", word)
    apart = normalize("NFD", whole)
    in_two_letters = whole.translate(_IN_TWO_LETTERS)
    spelled = {word, whole, apart, in_two_letters, _plain(whole), _plain(in_two_letters)}
    cases = {way for one in spelled for way in (one, one.upper(), one.lower(), one.title())}
    quoted = {one.replace('"', '""') for one in cases}
    return sorted({*cases, *quoted, *map(html.escape, spelled), *(json.dumps(one)[1:-1] for one in cases)})
