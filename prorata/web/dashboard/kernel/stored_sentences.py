"""Translation of English sentences that are stored with records.

Such a sentence, for example the reason for a flag or for an uncertain value of a bill, is stored as plain text. To
translate it, Prorata finds the catalog sentence from which it was made, and the values in it. Values that are days,
months, amounts or numbers are written in the page's format; all other values stay as they are.
"""

import re
from calendar import month_name
from collections.abc import Callable, Mapping
from datetime import date
from functools import cache
from typing import Any, NamedTuple

from prorata.domain.billing_calendar import Month
from prorata.domain.countries import in_area_unit
from prorata.domain.splitting import charge_sentences
from prorata.ports import Forms
from prorata.web.dashboard.kernel.translations import Speech, said, sentences_of, speech_of_page
from prorata.web.http.limits import LONGEST_RETOLD

_PLACE = re.compile(r"\{(\w+)\}")
_BEGINNING = 4
"""The number of first letters by which sentences are grouped before they are compared."""
_FIGURE = r"[-$€£]{0,2}[0-9][0-9.,-]*"
"""The pattern of the values in sentences with fewer letters than `_BEGINNING`.

An example of such a sentence is "{first} to {last}".
"""


class _Form(NamedTuple):
    """A catalog sentence that contains values, as a pattern, with its translation."""

    matches: re.Pattern[str]
    translated: str


def retold(text: Any, speech: Speech | None = None) -> Any:
    """Translate a stored sentence to the language of the page or of a `Speech`.

    A sentence that is not in the catalog stays unchanged.
    """
    if type(text) is not str or not text or len(text) > LONGEST_RETOLD:
        return said(text, speech)
    speech = speech or speech_of_page()
    if whole := _whole(speech.language).get(text):
        return whole
    forms = _forms(speech.language)
    for form in (*forms.get(text[:_BEGINNING], ()), *forms.get("", ())):
        if match := form.matches.fullmatch(text):
            return form.translated.format_map(
                {name: _value(value, speech) for name, value in match.groupdict().items()}
            )
    return text


def charge_in_words(description: str, currency: str, country: str, speech: Speech | None = None) -> str:
    """Translate a charge's stored sentence, with floor areas in the country's unit.

    It is translated to the page's language, or to the language of a given `Speech`.
    """
    its_speech = speech or speech_of_page()
    told = charge_sentences.in_words(description, currency, its_speech.forms, lambda why: retold(why, its_speech))
    return in_area_unit(said(told, its_speech), country)


def _value(text: str, speech: Speech) -> Any:
    """Translate a value in a stored sentence, and format days, months, amounts and numbers.

    A list of names, such as those of utilities, is translated name by name. Any other text that is not in the catalog
    stays unchanged.
    """
    if text.endswith("."):
        return retold(text, speech)
    names, known = text.split(", "), _whole(speech.language)
    if len(names) > 1 and all(name in known for name in names):
        return ", ".join(known[name] for name in names)
    for figure, written in _FIGURES.items():
        if match := figure.fullmatch(text):
            return written(match, speech.forms)
    return retold(text, speech)


def _amount(match: re.Match[str], forms: Forms) -> str:
    """Format a stored amount for the page, but keep its currency sign or code.

    A sign is placed where the page's locale places the euro sign, because several currencies may share the sign.
    """
    minus, sign, whole, decimals = match.groups()
    cents = int(f"{minus}{whole.replace(',', '')}{decimals}")
    code = sign.strip()
    return forms.money(cents, code) if code.isalpha() else forms.money(cents, "EUR").replace("€", code)


def _day(text: str, forms: Forms) -> str:
    """Write a day in the page's format; any other text stays unchanged."""
    try:
        return forms.day(date.fromisoformat(text))
    except ValueError:
        return text


_FIGURES: Mapping[re.Pattern[str], Callable[[re.Match[str], Forms], str]] = {
    re.compile(r"(-?)([$€£]|[A-Z]{3} )([0-9]{1,3}(?:,[0-9]{3})*)\.([0-9]{2})"): _amount,
    re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}"): lambda written, forms: _day(written[0], forms),
    re.compile(rf"({'|'.join(month_name[1:])}) ([0-9]{{4}})"): lambda written, forms: forms.month(
        Month(f"{written[2]}-{list(month_name).index(written[1]):02d}")
    ),
    re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+"): lambda written, forms: forms.count(int(written[0].replace(",", ""))),
}
"""The patterns of figures in stored sentences, each with the function that formats them.

Figures are stored in the format of `locale_forms.PLAIN`.
"""


@cache
def _whole(language: str) -> Mapping[str, str]:
    """Return all translations into a language, by the English text."""
    return dict(sentences_of(language))


@cache
def _forms(language: str) -> dict[str, list[_Form]]:
    """Group sentences with values, and their translations, by the sentences' first characters.

    Within a group, the longest sentences come first. The group "" contains the sentences that have a value among their
    first characters.
    """
    forms_by_beginning: dict[str, list[_Form]] = {}
    for form, translated in sentences_of(language):
        words = _PLACE.sub("", form).strip()
        if not words or not _PLACE.search(form):
            continue
        beginning, value = form[:_BEGINNING], ".+?" if len(words) >= _BEGINNING else _FIGURE
        forms_by_beginning.setdefault("" if "{" in beginning else beginning, []).append(
            _Form(_pattern(form, value), translated)
        )
    for forms in forms_by_beginning.values():
        forms.sort(key=lambda its_form: -len(its_form.matches.pattern))
    return forms_by_beginning


def _pattern(form: str, value: str) -> re.Pattern[str]:
    """Build a regular expression that matches a sentence with its values filled in.

    `value` is the expression that each value matches.
    """
    parts, seen = [], set[str]()
    for at, part in enumerate(_PLACE.split(form)):
        if at % 2 == 0:
            parts.append(re.escape(part))
        else:
            parts.append(f"(?P={part})" if part in seen else f"(?P<{part}>{value})")
            seen.add(part)
    return re.compile("".join(parts), re.DOTALL)
