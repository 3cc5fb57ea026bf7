"""The languages of invoices and messages, by their codes."""

LANGUAGE_CODES = ("en", "de", "es", "fr")


def language_of(locale: str) -> str:
    """Return the language of an account's invoices and messages: its locale's, or English.

    >>> language_of("de-AT"), language_of("FR_ca"), language_of("sv-SE")
    ('de', 'fr', 'en')
    """
    language = locale.replace("_", "-").partition("-")[0].lower()
    return language if language in LANGUAGE_CODES else "en"
