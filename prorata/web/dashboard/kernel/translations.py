"""Pages in the viewer's language: the catalogs of translations, and their use.

The texts are written in American English, which needs no catalog; the catalog of British English has the few texts
that differ. A catalog is read from its `.po` file when its language is first requested
(docs/adr/0039-texts-are-translated-where-they-are-shown.md).
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextvars import ContextVar
from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files
from io import BytesIO
from typing import Any, NamedTuple

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from markupsafe import Markup

from prorata.domain.billing_calendar import NamedMonth
from prorata.domain.labels import about_unit
from prorata.domain.languages import language_of
from prorata.domain.locale_forms import NamedAmount, NamedDay
from prorata.domain.texts import Count, Text
from prorata.ports import Forms

OWN = "en_US"
"""The language of the texts themselves."""
BRITISH = "en_GB"
CATALOGS = files("prorata.web.dashboard") / "catalogs"
_TRANSLATED = ("de", "es", "fr")
"""The languages whose catalogs have every text."""
_APOSTROPHE = re.compile(r"(?<=[a-z}])'(?=(?:s|t|re|ll|ve|d)\b)")
"""The pattern of a straight apostrophe within a word or after a value."""


class Speech(NamedTuple):
    """The language of a page, its catalog, and its number formats."""

    language: str
    catalog: NullTranslations
    forms: Forms

    @property
    def tag(self) -> str:
        """The page's language tag for browsers."""
        return "en" if self.language == OWN else self.language.replace("_", "-")


def catalog_name(locale: str) -> str:
    """Return the name of the catalog for a locale.

    American English stands in for languages that have no catalog.

    >>> catalog_name("en-IE"), catalog_name("en"), catalog_name("sv-SE")
    ('en_GB', 'en_US', 'en_US')
    """
    language = language_of(locale)
    if locale.lower().startswith("en-") and not locale.endswith("US"):
        return BRITISH
    return language if language in _spoken() else OWN


@cache
def _spoken() -> frozenset[str]:
    return frozenset(file.name.removesuffix(".po") for file in CATALOGS.iterdir())


_SPEECH: ContextVar[Speech] = ContextVar("speech")


@cache
def _in_print(message: str) -> str:
    return _APOSTROPHE.sub("’", message)


class _English(NullTranslations):
    """The catalog of American English: the original texts, with typographic apostrophes."""

    def gettext(self, message: str) -> str:
        return _in_print(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(super().ngettext(msgid1, msgid2, n))


@cache
def catalog_of(language: str) -> NullTranslations:
    """Return a language's catalog; that of American English only changes apostrophes."""
    if language == OWN:
        return _English()
    compiled = BytesIO()
    with (CATALOGS / f"{language}.po").open("rb") as written:
        write_mo(compiled, read_po(written, locale=language))
    compiled.seek(0)
    catalog = GNUTranslations(compiled)
    if language == BRITISH:
        catalog.add_fallback(catalog_of(OWN))
    return catalog


def in_words(texts: Iterable[str], locale: str) -> tuple[str, ...]:
    """Translate texts without values, such as names of columns; empty texts stay empty.

    >>> in_words(["Due date"], "en-US"), in_words(["Due date"], "de-DE")
    (('Due date',), ('Fälligkeit',))
    """
    catalog = catalog_of(catalog_name(locale))
    return tuple(catalog.gettext(text) if text else "" for text in texts)


def in_word(text: str, locale: str) -> str:
    """Translate a single text without values, such as the name of a file."""
    return in_words([text], locale)[0]


def speech_in(locale: str, forms: Forms) -> Speech:
    """Return the language of a locale, with the given formats."""
    language = catalog_name(locale)
    return Speech(language, catalog_of(language), forms)


@cache
def sentences_of(language: str) -> tuple[tuple[str, str], ...]:
    """List all texts with their translations into a language.

    Singular and plural forms are listed separately. In English, the translations are the texts themselves, except
    for the few that British English changes.
    """
    with (CATALOGS / f"{language if language in _TRANSLATED else _TRANSLATED[0]}.po").open("rb") as written:
        messages = [message for message in read_po(written) if message.id]
    sentences: list[tuple[str, str]] = []
    for message in messages:
        forms, translated = _each(message.id), _each(message.string)
        if language not in _TRANSLATED:
            translated = [catalog_of(language).ngettext(forms[0], forms[-1], number) for number in (1, 2)]
        sentences += zip(forms, (translated[0], translated[-1]), strict=False)
    return tuple(sentences)


def _each(forms: Any) -> Sequence[str]:
    """Return a catalog text's singular and plural forms, or its only form."""
    return [forms] if isinstance(forms, str) else list(forms)


def speech_of_page() -> Speech:
    """Return the language and formats of the page that this thread is rendering."""
    return _SPEECH.get()


def speak(speech: Speech) -> None:
    """Set the language and formats of the page that this thread is rendering."""
    _SPEECH.set(speech)


def said(text: Any, speech: Speech | None = None) -> Any:
    """Translate a text, and format its values, for the current page or the given `Speech`.

    The values are numbers, months, days and amounts. Anything that is not a translatable text is returned
    unchanged.
    """
    if not isinstance(text, (Text, Count, NamedMonth, NamedAmount, NamedDay)):
        return text
    by = speech or _SPEECH.get()
    if not isinstance(text, Text):
        return _written(text, by.forms)
    if text.many is None:
        form = by.catalog.gettext(text.form) if text.form else ""
    else:
        form = by.catalog.ngettext(text.form, text.many, text.number)
    if not text.values:
        return form
    return _about_unit(form, text.values).format_map({name: said(value, by) for name, value in text.values.items()})


def _written(value: Count | NamedMonth | NamedAmount | NamedDay, forms: Forms) -> str:
    """Format a number, month, amount or day as the page's locale writes it."""
    if isinstance(value, Count):
        return forms.count(value)
    if isinstance(value, NamedMonth):
        return forms.month(value.month)
    return forms.money(value.cents, value.currency) if isinstance(value, NamedAmount) else forms.day(value.day)


def marked(form: str, **values: Any) -> Markup:
    """Translate a template's text (`_` in templates).

    The text may contain HTML tags; the values in it are escaped.
    """
    text = _about_unit(_SPEECH.get().catalog.gettext(form), values)
    translated = Markup(text)  # noqa: S704 - the template's own text
    return translated.format(**_all_said(values)) if values else translated


def marked_n(one: str, many: str, number: int, **values: Any) -> Markup:
    """Translate a template's text about a number of things (`_n` in templates).

    `{n}` in the text becomes the number in the page's format.
    """
    speech = _SPEECH.get()
    translated = Markup(speech.catalog.ngettext(one, many, number))  # noqa: S704 - as above
    return translated.format(**{"n": speech.forms.count(number), **_all_said(values)})


def _about_unit(form: str, values: Mapping[str, Any]) -> str:
    """Omit the word "unit" from a text if the unit's label contains one."""
    label = next((values[name] for name in ("unit", "units", "label") if name in values), "")
    return about_unit(form, str(label))


def _all_said(values: dict[str, Any]) -> dict[str, Any]:
    return {name: said(value) for name, value in values.items()}
