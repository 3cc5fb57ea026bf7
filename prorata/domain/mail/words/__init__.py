"""The words of messages, by language."""

from collections.abc import Mapping
from types import MappingProxyType

from prorata.domain.languages import language_of
from prorata.domain.mail.words.de import GERMAN
from prorata.domain.mail.words.en import ENGLISH
from prorata.domain.mail.words.es import SPANISH
from prorata.domain.mail.words.fr import FRENCH
from prorata.domain.mail.words.words import Words

WORDS: Mapping[str, Words] = MappingProxyType({words.language: words for words in (ENGLISH, GERMAN, SPANISH, FRENCH)})


def words_for(locale: str) -> Words:
    """Return the words of messages in the language that belongs to a locale."""
    return WORDS[language_of(locale)]
