"""Floor areas as written in a cell: a number, perhaps with its unit of measure."""

import re
from unicodedata import normalize

from prorata.domain.countries import area_unit
from prorata.domain.files.cells import Cell, Unclear
from prorata.domain.limits import LONGEST_TYPED_NUMBER
from prorata.domain.texts import say

_WITH_UNIT = re.compile(r"(.*?[0-9]) *([^\W\d_].*)", re.DOTALL)
_NOT_WORDS = re.compile(r"[\W_]+")
_FEET = (
    "sf sft sqf sqft sqfoot sqfeet squareft squarefoot squarefeet ft2 ftsq feet2 ftsqd quadratfuß quadratfuss "
    "piescuadrados pies2 pie2 piedscarrés piedscarres pieds2 pi2"
)
_METRES = (
    "m2 qm sqm sqmt sqmtr sqmtrs sqmeter sqmeters sqmetre sqmetres squaremeter squaremeters squaremetre squaremetres "
    "sm msq quadratmeter mq mt2 mts2 mtr2 metros2 metroscuadrados mètrescarrés metrescarres mètres2"
)
_UNIT_OF = dict.fromkeys(_FEET.split(), "sq ft") | dict.fromkeys(_METRES.split(), "m²")
_IN_METRES = say(
    "This floor area is in m², but homes in the property's country are measured in square feet. Enter it in square "
    "feet."
)
_IN_FEET = say(
    "This floor area is in square feet, but homes in the property's country are measured in m². Enter it in m²."
)


def without_unit(cell: Cell, country: str) -> Cell:
    """Strip the unit of measure from a floor area, without converting the number.

    Raises `Unclear` if the unit is not the one that the country uses.

    >>> [without_unit(text, "US") for text in ("1,050 sq. ft.", "900SF", "850 ft²", "850", "850 rooms")]
    ['1,050', '900', '850', '850', '850 rooms']
    >>> without_unit("78,5 qm", "DE"), without_unit("78 m²", "DE")
    ('78,5', '78')
    """
    if not isinstance(cell, str) or len(cell) > LONGEST_TYPED_NUMBER:
        return cell
    match = _WITH_UNIT.fullmatch(normalize("NFKC", cell).strip())
    unit = _UNIT_OF.get(_NOT_WORDS.sub("", match[2]).casefold()) if match else None
    if match is None or unit is None:
        return cell
    if unit != area_unit(country):
        raise Unclear(_IN_METRES if unit == "m²" else _IN_FEET)
    return match[1]
