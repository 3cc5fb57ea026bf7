"""The words of messages about invoices, by language."""

from collections.abc import Mapping
from types import MappingProxyType

from prorata.domain.mail_words.de import GERMAN
from prorata.domain.mail_words.en import ENGLISH
from prorata.domain.mail_words.es import SPANISH
from prorata.domain.mail_words.fr import FRENCH
from prorata.domain.mail_words.words import Words

WORDS: Mapping[str, Words] = MappingProxyType({words.language: words for words in (ENGLISH, GERMAN, SPANISH, FRENCH)})


def words_for(locale: str) -> Words:
    """The words of a locale's language; English where there are none.

    >>> words_for("de-AT").language, words_for("fr_CA").language, words_for("pl").language
    ('de', 'fr', 'en')
    """
    return WORDS.get(locale.replace("_", "-").partition("-")[0].lower(), ENGLISH)
