"""The languages of invoices and messages."""

from collections.abc import Mapping

from prorata.domain.languages import LANGUAGE_CODES, language_of
from prorata.domain.printing.texts import Texts
from prorata.domain.printing.translations import AMERICAN, ENGLISH, FRENCH, GERMAN, SPANISH

LANGUAGES: Mapping[str, Texts] = {"en": ENGLISH, "de": GERMAN, "es": SPANISH, "fr": FRENCH}


assert tuple(LANGUAGES) == LANGUAGE_CODES, "each language has its texts"


def texts_for(locale: str) -> Texts:
    """Return the words of an account's invoices, in its country's spelling.

    >>> texts_for("en-US").credit, texts_for("en-GB").credit, texts_for("de-AT").credit
    ('Credit in your favor', 'Credit in your favour', 'Guthaben zu Ihren Gunsten')
    """
    return AMERICAN if locale.replace("_", "-").lower() in {"en", "en-us"} else LANGUAGES[language_of(locale)]
