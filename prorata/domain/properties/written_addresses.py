"""Splitting written addresses into street and number, and city, state and postal code."""

import re

from prorata.domain.countries import has_states, is_number_first

_LETTER = re.compile(r"[^\W\d_]")
"""A letter, which every street and town contains."""
_NUMBER = r"\d+(?:\s?[A-Za-z](?![^\W\d_]))?(?:\s?[-/–+]\s?\d*[A-Za-z]?(?![^\W\d_]))*"
_FIRST = re.compile(rf"\A(?P<streetNumber>{_NUMBER}),?\s+(?P<street>.+)")
_LAST = re.compile(rf"\A(?P<street>.+?),?\s+(?:(?:no|nr)\.?\s*)?(?P<streetNumber>{_NUMBER})", re.IGNORECASE)
_BRITISH = r"[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}|[A-Z]\d[A-Z]\s?\d[A-Z]\d"
_CODE = rf"{_BRITISH}|\d{{4}}\s?[A-Z]{{2}}|\d{{3}}\s\d{{2}}|(?:[A-Z]{{1,2}}-)?\d{{3,6}}(?:-\d{{3,4}})?"
_CODE_LAST = re.compile(rf"\A(?P<place>.+?)[,\s]+(?P<zip>{_CODE})")
_CODE_FIRST = re.compile(rf"\A(?P<zip>{_CODE})[,\s]+(?P<place>.+)")
_STATE_LAST = re.compile(r"\A(?P<city>.+?)(?:\s*,\s*(?P<named>[^,\d]+)|\s+\(?(?P<short>[A-Z]{2,3})\)?)")


def street_parts(text: str, country: str) -> dict[str, str]:
    """Split a line into street and number; empty if it has no number.

    >>> street_parts("12 Maple Street", "US"), street_parts("Elm St", "US")
    ({'streetNumber': '12', 'street': 'Maple Street'}, {})
    >>> street_parts("Straße des 17. Juni 5a", "DE")
    {'street': 'Straße des 17. Juni', 'streetNumber': '5a'}
    """
    forms = (_FIRST, _LAST) if is_number_first(country) else (_LAST, _FIRST)
    matches = (form.fullmatch(text.strip()) for form in forms)
    return next((match.groupdict() for match in matches if match and _LETTER.search(match["street"])), {})


def town_parts(text: str, country: str) -> dict[str, str]:
    """Split a line into city and, if present, state and postal code.

    >>> town_parts("Springfield, IL 62701", "US"), town_parts("12345 Berlin", "DE"), town_parts("Reno", "US")
    ({'city': 'Springfield', 'state': 'IL', 'zip': '62701'}, {'city': 'Berlin', 'zip': '12345'}, {'city': 'Reno'})
    """
    line = text.strip()
    matches = (form.fullmatch(line) for form in (_CODE_LAST, _CODE_FIRST))
    coded = next((match for match in matches if match and _LETTER.search(match["place"])), None)
    parts = {"city": coded["place"] if coded else line}
    if has_states(country) and (of := _STATE_LAST.fullmatch(parts["city"])):
        parts = {"city": of["city"], "state": (of["named"] or of["short"]).strip()}
    return parts | ({"zip": coded["zip"]} if coded else {})


def in_parts(columns: dict[str, str], country: str) -> dict[str, str]:
    """Split an address, given by column, into its parts.

    A street is split into street and number unless the number has its own column. A city is split into city, state and
    postal code unless the state and postal code have columns of their own. The street column may contain everything,
    with a comma after the number.

    >>> in_parts({"street": "Ahornstr. 5a, 12345 Berlin"}, "DE")
    {'city': 'Berlin', 'zip': '12345', 'street': 'Ahornstr.', 'streetNumber': '5a'}
    """
    street, _, behind = columns.get("street", "").partition(",")
    whole = {"street": street.strip(), "city": behind.strip()} if behind.strip() and "city" not in columns else {}
    given = columns | whole
    if "street" in given and "streetNumber" not in given:
        given |= street_parts(given["street"], country)
    if "city" in given and not {"state", "zip"} <= given.keys():
        given = town_parts(given["city"], country) | {
            column: text for column, text in given.items() if column != "city"
        }
    return given
