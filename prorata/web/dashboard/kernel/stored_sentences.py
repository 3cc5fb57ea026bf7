"""Sentences that were stored in English, said in the language of the page.

What is stored with a record, such as why a value of a bill is asked or why a bill is flagged, is plain text there. The
catalog knows the sentence that it was made from; what stands in the places of its values stays as it is.
"""

import re
from functools import cache
from gettext import GNUTranslations, NullTranslations
from typing import Any, NamedTuple

from prorata.web.dashboard.kernel.translations import said, speech_of_page
from prorata.web.http.limits import LONGEST_RETOLD

_PLACE = re.compile(r"\{(\w+)\}")
_BEGINNING = 4
"""Letters by which sentences are told apart before they are compared."""


class _Form(NamedTuple):
    """A sentence of the catalog with values in it: what matches one that is filled in, and what is said for it."""

    matches: re.Pattern[str]
    translated: str


def retold(text: Any) -> Any:
    """A stored sentence in the language of the page; as it is where the catalog has none that it was made from."""
    if type(text) is not str or not text or len(text) > LONGEST_RETOLD:
        return said(text)
    speech = speech_of_page()
    if speech.catalog.gettext(text) != text:
        return speech.catalog.gettext(text)
    forms = _forms(speech.catalog)
    for form in (*forms.get(text[:_BEGINNING], ()), *forms.get("", ())):
        if found := form.matches.fullmatch(text):
            return form.translated.format_map({name: _value(value) for name, value in found.groupdict().items()})
    return text


def _value(text: str) -> Any:
    """A value of a stored sentence: as it is, but where it is a text of the catalog or a sentence itself."""
    return retold(text) if text.endswith(".") else speech_of_page().catalog.gettext(text)


@cache
def _forms(catalog: NullTranslations) -> dict[str, list[_Form]]:
    """The sentences with values of a catalog by how they begin, the most said first; under "" those that begin with a
    value.
    """
    found: dict[str, list[_Form]] = {}
    if not isinstance(catalog, GNUTranslations):
        return found
    for key, translated in vars(catalog)["_catalog"].items():
        form = key[0] if isinstance(key, tuple) else key
        if not isinstance(form, str) or len(_PLACE.sub("", form).strip()) < _BEGINNING or not _PLACE.search(form):
            continue
        beginning = form[:_BEGINNING]
        found.setdefault("" if "{" in beginning else beginning, []).append(_Form(_pattern(form), translated))
    for forms in found.values():
        forms.sort(key=lambda one: -len(one.matches.pattern))
    return found


def _pattern(form: str) -> re.Pattern[str]:
    parts, seen = [], set[str]()
    for at, part in enumerate(_PLACE.split(form)):
        if at % 2 == 0:
            parts.append(re.escape(part))
        else:
            parts.append(f"(?P={part})" if part in seen else f"(?P<{part}>.+?)")
            seen.add(part)
    return re.compile("".join(parts), re.DOTALL)
