"""The words that identify a person in text, and their removal."""

import html
import json
import re
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from prorata.domain.limits import FEWEST_CHARACTERS_CUT

FORMER = "Former tenant"
"""The replacement for an erased person's name and addresses."""
_BETWEEN = r"(?:[\s,;]|\\n|\\r)+"
"""A pattern of the separators between words of a name or an address, in text and in JSON."""


class PersonalWords(NamedTuple):
    """The names, e-mail addresses and postal addresses of a person, as they were entered."""

    names: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()

    @classmethod
    def of(cls, names: Iterable[str | None], addresses: Iterable[str | None]) -> "PersonalWords":
        """Collect each word once, without those that are empty or too short.

        >>> PersonalWords.of(["Ada Byron", "Ada Byron", None], ["ada@example.com", ""])
        PersonalWords(names=('Ada Byron',), addresses=('ada@example.com',))
        """
        kept = (
            tuple(
                sorted(
                    {
                        one.strip()
                        for one in some
                        if one and len(one.strip()) >= FEWEST_CHARACTERS_CUT and one.strip() != FORMER
                    }
                )
            )
            for some in (names, addresses)
        )
        return cls(*kept)

    def without(self, others: Iterable[str]) -> "PersonalWords":
        """These words without anybody else's, and without names of a single word.

        Text about other people contains those, too.

        >>> PersonalWords(("Ada", "Ada Byron", "Jo March"), ("ada@example.com",)).without(["jo march"])
        PersonalWords(names=('Ada Byron',), addresses=('ada@example.com',))
        """
        taken = {one.casefold() for one in others}
        names = (one for one in self.names if one.casefold() not in taken and len(one.split()) > 1)
        return PersonalWords(tuple(names), tuple(one for one in self.addresses if one.casefold() not in taken))

    @property
    def searched(self) -> list[str]:
        """The longest word of each name and address, in every possible spelling.

        Any text that contains a name or address contains one of these.
        """
        longest = {max(re.split(r"[\s,;]+", one), key=len) for one in (*self.names, *self.addresses)}
        spelled = {way for one in longest for way in (one, one.upper(), one.lower(), one.title())}
        return sorted({way for one in spelled for way in _written(one)})


class Cutter:
    r"""Cuts a person's names and addresses from texts, in whatever case, order and layout they stand there.

    >>> cutter = Cutter(PersonalWords(("Ada Byron",), ("12 Elm St\nSpringfield",)))
    >>> cutter.cut("Key to ada byron and to BYRON, ADA at 12 Elm St, Springfield; not to Adam Byron.")
    'Key to Former tenant and to Former tenant at Former tenant; not to Adam Byron.'
    """

    def __init__(self, words: PersonalWords) -> None:
        self._words = words

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        ways = [_way(one.split()) for one in self._words.names]
        ways += [_way([last, *first]) for *first, last in map(str.split, self._words.names) if first]
        ways += [_way(re.split(r"[\s,;]+", one)) for one in self._words.addresses]
        longest_first = sorted(ways, key=len, reverse=True)
        return re.compile(rf"(?<!\w)(?:{'|'.join(longest_first)})(?!\w)", re.IGNORECASE) if ways else None

    def finds(self, text: str) -> bool:
        """True if the text contains a name or an address."""
        return self._pattern is not None and self._pattern.search(text) is not None

    def cut(self, text: str) -> str:
        """The text with `FORMER` in place of each name and address."""
        return self._pattern.sub(FORMER, text) if self._pattern else text


def _way(words: Iterable[str]) -> str:
    """A pattern of consecutive words, each as written in text, JSON or XML."""
    return _BETWEEN.join(f"(?:{'|'.join(map(re.escape, _written(word)))})" for word in words)


def _written(word: str) -> list[str]:
    """A word as written in text, XML and JSON, whose escapes differ for capitals."""
    cases = (word, word.upper(), word.lower(), word.title())
    return sorted({word, html.escape(word), *(json.dumps(one)[1:-1] for one in cases)})
