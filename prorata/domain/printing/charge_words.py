"""The words of invoices for what is charged: utilities and usage, by language."""

from collections.abc import Mapping
from types import MappingProxyType

from prorata.domain.method_words import PART_OF
from prorata.domain.utility_names import CHARGE_NAMES

UTILITIES: Mapping[str, Mapping[str, str]] = MappingProxyType({
    "en": {of: str(name) for of, name in CHARGE_NAMES.items()},
    "de": {
        "ELECTRICITY": "Strom", "WATER": "Wasser", "GAS": "Gas", "INTERNET": "Internet", "SEWER": "Abwasser",
        "TRASH": "Müllabfuhr", "OTHER": "Sonstiges",
    },
    "es": {
        "ELECTRICITY": "Electricidad", "WATER": "Agua", "GAS": "Gas", "INTERNET": "Internet", "SEWER": "Alcantarillado",
        "TRASH": "Basura", "OTHER": "Otros",
    },
    "fr": {
        "ELECTRICITY": "Électricité", "WATER": "Eau", "GAS": "Gaz", "INTERNET": "Internet", "SEWER": "Assainissement",
        "TRASH": "Ordures ménagères", "OTHER": "Autre",
    },
})  # fmt: skip
"""The names of utilities as charged; "en" is American English."""
USAGE: Mapping[str, tuple[str, str, str]] = MappingProxyType(
    {
        "en": (
            "Usage: {used}.",
            "Usage: {used} at {price} each.",
            "{used} × {price} + {rest} not for usage.",
        ),
        "de": (
            "Verbrauch: {used}.",
            "Verbrauch: {used} zu je {price}.",
            "{used} × {price} + {rest} Weiteres.",
        ),
        "es": (
            "Consumo: {used}.",
            "Consumo: {used} a {price} cada uno.",
            "{used} × {price} + {rest} otros conceptos.",
        ),
        "fr": (
            "Consommation\u00a0: {used}.",
            "Consommation\u00a0: {used} à {price} l’unité.",
            "{used} × {price} + {rest} autres postes.",
        ),
    }
)
"""The usage that a bill states, without its unit price, with it, and with the amount that is not for usage."""
PART_THEN: Mapping[str, tuple[str, str, str]] = MappingProxyType(
    {
        "en": (
            PART_OF["en"],
            "{earlier}; this unit’s part was {share} then",
            "{earlier}; divided otherwise then: this unit’s part was {share}",
        ),
        "de": (
            PART_OF["de"],
            "{earlier}; der Anteil dieser Einheit war damals {share}",
            "{earlier}; damals anders verteilt: Der Anteil dieser Einheit war {share}",
        ),
        "es": (
            PART_OF["es"],
            "{earlier}; la parte de esta unidad era entonces {share}",
            "{earlier}; entonces se repartió de otro modo: la parte de esta unidad era {share}",
        ),
        "fr": (
            PART_OF["fr"],
            "{earlier}\u00a0; la part de ce logement était alors\u00a0: {share}",
            "{earlier}\u00a0; réparti autrement alors, la part de ce logement était\u00a0: {share}",
        ),
    }
)
"""A part of an unknown measure, and the sentences about a unit's other part of an earlier bill.

The last one is for a bill that was divided by another method.
"""
TOGETHER: Mapping[str, str] = MappingProxyType(
    {
        "en": "Together, the charges for {name} come to {amount} ({earlier}).",
        "de": "Zusammen betragen die Kosten für {name} {amount} ({earlier}).",
        "es": "En conjunto, los cargos por {name} suman {amount} ({earlier}).",
        "fr": "En tout, {name}\u00a0: {amount} ({earlier}).",
    }
)
"""The sum of an invoice's charges for one utility, with the sums of earlier months."""
