"""The words about split methods on invoices."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Printed(NamedTuple):
    """The words with which invoices in one language explain a method.

    `how` explains the calculation of a part, and `unknown` says that nobody has entered the unit's measure.
    `left_out` states who pays for vacant days that count for nobody, and `share` a unit's part of the whole in a few
    words. The words contain the placeholders `{part}`, `{whole}` and, for the unit of floor areas, `{area}`.
    """

    how: str
    unknown: str = ""
    left_out: str = ""
    share: str = ""


PART_OF: Mapping[str, str] = MappingProxyType({
    "en": "{part} of {whole}", "de": "{part} von {whole}", "es": "{part} de {whole}", "fr": "{part} sur {whole}",
})  # fmt: skip
"""A part of a whole, by language."""


def shares(en: str, de: str, es: str, fr: str) -> Mapping[str, str]:
    """State a part of a whole in each language, from the names of its measure.

    >>> shares("bedrooms", "Schlafzimmern", "dormitorios", "chambres")["fr"]
    '{part} sur {whole} chambres'
    """
    measures = {"en": en, "de": de, "es": es, "fr": fr}
    return {language: f"{part} {measures[language]}" for language, part in PART_OF.items()}


PERCENT: Mapping[str, str] = MappingProxyType(dict.fromkeys(("en", "de", "es", "fr"), "{part}"))
"""The share of a method that divides by percentages."""
WEIGHT: Mapping[str, str] = MappingProxyType({
    "en": "weight {part} of {whole}", "de": "Gewicht {part} von {whole}",
    "es": "coeficiente {part} de {whole}", "fr": "coefficient {part} sur {whole}",
})  # fmt: skip
"""The share of a method that divides by weights."""
