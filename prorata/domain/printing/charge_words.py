"""The words of invoices for what is charged: utilities and usage, by language."""

from collections.abc import Mapping
from types import MappingProxyType

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
            "{used} × {price} + {rest} other items.",
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
