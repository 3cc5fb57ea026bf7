"""The languages that invoices and messages speak, by their codes."""

LANGUAGE_CODES = ("en", "de", "es", "fr")


def language_of(locale: str) -> str:
    """The language in which an account's invoices and messages are worded: that of its locale, or English.

    >>> language_of("de-AT"), language_of("FR_ca"), language_of("sv-SE")
    ('de', 'fr', 'en')
    """
    language = locale.replace("_", "-").partition("-")[0].lower()
    return language if language in LANGUAGE_CODES else "en"
