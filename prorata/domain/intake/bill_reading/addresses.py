"""Finding the service address of a bill, beside its label and on the lines below."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from prorata.domain.intake.bill_reading.bill_facts import beside_of
from prorata.domain.intake.bill_reading.dates import dates_in
from prorata.domain.intake.bill_reading.draft import Reading, asked, found, missing
from prorata.domain.intake.bill_reading.label_values import Beside
from prorata.domain.intake.bill_reading.labels import label_of, label_within
from prorata.domain.intake.bill_reading.numbers import read_amount
from prorata.domain.intake.bill_reading.previous_bill import is_plain_heading
from prorata.domain.intake.bill_reading.text_folding import has_figures, plain
from prorata.domain.intake.bill_reading.words import ALIGNED, LETTERS, Place, Row, around
from prorata.domain.texts import say

_POST_CODE = re.compile(
    r"\b[0-9]{5}(?:-[0-9]{4})?\b|\b[A-Z][0-9][A-Z] ?[0-9][A-Z][0-9]\b|\b[A-Z]{1,2}[0-9][0-9A-Z]? [0-9][A-Z]{2}\b"
)
_HOUSE = re.compile(r"(?<![0-9])[0-9]{1,5} ?[a-zA-Z]?\b")
_PART = re.compile(r"[^\W\d_]{3}")
_WITHIN = re.compile(
    r"\b(unit|apt|apartment|suite|ste|floor|flat|room|bldg|building|lot|etage|stock|og|wohnung|whg|appt|appartement|bat"
    r"|batiment|escalier|porte|piso|planta|puerta|escalera|bloque|portal|izda|dcha)\b|#"
)
"""A pattern for the numbered part of a house, such as a unit or floor."""
_COUNTRY = re.compile(r"usa|united states|united kingdom|uk|canada|deutschland|germany|france|espana|spain|osterreich")
_CARE_OF = re.compile(r"\bc/o\b", re.IGNORECASE)
_ADDRESS_LINES = 4


class _Address(NamedTuple):
    """The lines of an address as one string.

    `goes_on` is set if the lines below may continue the address.
    """

    text: str
    place: Place
    goes_on: bool


def address_of(pages: Sequence[Sequence[Row]], every: Sequence[Beside]) -> Reading[str]:
    """Find the service address by its label.

    The address is certain only if it has exactly one house number and one postal code, and nothing contradicts it.
    """
    mine = beside_of("serviceAddress", every)
    read = [(labelled, _address(pages, labelled)) for labelled in mine]
    read = [(labelled, address) for labelled, address in read if has_figures(address.text)]
    if not read:
        return missing("service address")
    different = {plain(address.text): address.text for _, address in read}
    places = tuple(address.place for _, address in read)
    if len(different) > 1:
        why = say("The bill shows more than one service address.")
    elif not any(labelled.label.strong for labelled, _ in read):
        why = say("The words beside this address don’t clearly show that it is the service address.")
    elif not any(labelled.sole for labelled, _ in read):
        why = say(
            "It isn’t clear whether this is the service address, or belongs to another bill or to something else."
        )
    elif any(address.goes_on for _, address in read):
        why = say("There are more lines just below this address that may belong to it.")
    else:
        (text,) = different.values()
        codes = _codes_of(text)
        streets = _streets(text[: codes[-1].start()] + text[codes[-1].end() :]) if codes else 0
        if streets == 1 and len(codes) == 1 and not _CARE_OF.search(text):
            return found(text, *places)
        why = say("This address is missing its house number or its postal code.")
        if streets:
            why = say("These may be two addresses in one.")
    return asked(why, *different.values(), places=places)


def _codes_of(text: str) -> list[re.Match[str]]:
    """Find the postal codes in an address, as regular expression matches.

    A code at the beginning of the address is skipped, because it may be a house number.

    >>> _codes_of("12345 Main Street"), _codes_of("12345 Main Street, Chicago, IL 60600")[0][0]
    ([], '60600')
    """
    return [code for code in _POST_CODE.finditer(text) if code.start()]


def _streets(text: str) -> int:
    """Count the parts of an address that have a house number.

    `text` is the address without its postal code.

    >>> _streets("9 Elm Street, Unit 4, Chicago"), _streets("9 Elm Street, Marram Homes, 12 Oak Street")
    (1, 2)
    """
    parts = [part for part in text.split(",") if _HOUSE.search(part)]
    with_words = [part for part in parts if _PART.search(part) and not _WITHIN.search(plain(part))]
    return len(with_words) or len(parts[:1])


def _address(pages: Sequence[Sequence[Row]], labelled: Beside) -> _Address:
    """Collect the lines of an address, starting at the cell beside its label.

    The address ends above a label, an amount, a date or a gap.
    """
    texts, places = [labelled.text.strip(" ,")], [labelled.place]
    height = labelled.place.bottom - labelled.place.top
    rows = next((rows for rows in pages if rows and rows[0][0].place.page == labelled.place.page), ())
    for row in rows:
        for column, cell in enumerate(row):
            near = 0 <= cell.place.top - places[-1].bottom + height <= 2 * height
            if not near or cell.place.top <= places[-1].top or abs(cell.place.left - labelled.place.left) > ALIGNED:
                continue
            is_other = label_of(cell.text) or any(True for _ in label_within(cell.text))
            if is_other or read_amount(cell.text) or dates_in(cell.text):
                return _Address(", ".join(texts), around(places), goes_on=False)
            if len(texts) >= _ADDRESS_LINES or _codes_of(", ".join(texts)):
                return _Address(", ".join(texts), around(places), _may_belong(row, column))
            texts.append(cell.text.strip(" ,"))
            places.append(cell.place)
    return _Address(", ".join(texts), around(places), goes_on=False)


def _may_belong(row: Row, column: int) -> bool:
    """True if a line below an address may belong to it.

    The line belongs to the address unless a label precedes the line, an amount is next to it, or it is a country
    or a heading of charges.
    """
    text = plain(row[column].text)
    is_labelled = any(LETTERS.search(other.text) for other in row[:column])
    is_charge = any(read_amount(other.text) for other in row[column + 1 : column + 2])
    is_heading = not has_figures(text) and is_plain_heading(text)
    return not (is_labelled or is_charge or is_heading or _COUNTRY.fullmatch(text))
