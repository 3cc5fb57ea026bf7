"""The words of messages, by language."""

from collections.abc import Mapping
from types import MappingProxyType

from prorata.domain.invoice_languages import language_of
from prorata.domain.mail_words.de import GERMAN
from prorata.domain.mail_words.en import ENGLISH
from prorata.domain.mail_words.es import SPANISH
from prorata.domain.mail_words.fr import FRENCH
from prorata.domain.mail_words.words import Words

WORDS: Mapping[str, Words] = MappingProxyType({words.language: words for words in (ENGLISH, GERMAN, SPANISH, FRENCH)})


def words_for(locale: str) -> Words:
    """The words of the language that a locale's invoices speak too."""
    return WORDS[language_of(locale)]
