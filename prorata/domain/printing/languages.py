"""The languages that invoices and messages speak."""

from collections.abc import Mapping

from prorata.domain.printing.translations import AMERICAN, ENGLISH, FRENCH, GERMAN, SPANISH, Texts

LANGUAGES: Mapping[str, Texts] = {"en": ENGLISH, "de": GERMAN, "es": SPANISH, "fr": FRENCH}


def language_of(locale: str) -> str:
    """The language in which an account's invoices and messages are worded: that of its locale, or English.

    >>> language_of("de-AT"), language_of("FR_ca"), language_of("sv-SE")
    ('de', 'fr', 'en')
    """
    language = locale.replace("_", "-").partition("-")[0].lower()
    return language if language in LANGUAGES else "en"


def texts_for(locale: str) -> Texts:
    """The words of an account's invoices, spelled as its country spells them.

    >>> texts_for("en-US").credit, texts_for("en-GB").credit, texts_for("de-AT").credit
    ('Credit in your favor', 'Credit in your favour', 'Guthaben zu Ihren Gunsten')
    """
    return AMERICAN if locale.replace("_", "-").lower() == "en-us" else LANGUAGES[language_of(locale)]
