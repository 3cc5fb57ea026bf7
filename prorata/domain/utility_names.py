"""What utilities are called, on every page, in sentences, files and English invoices; and what else stands on bills."""

from collections.abc import Mapping

UTILITY_NAMES: Mapping[str, str] = {
    "ELECTRICITY": "Electricity",
    "WATER": "Water",
    "GAS": "Gas",
    "INTERNET": "Internet",
    "SEWER": "Sewer",
    "GARBAGE": "Garbage",
    "OTHER": "Other",
}
LINE_NAMES: Mapping[str, str] = {
    **UTILITY_NAMES,
    "PREVIOUS_BALANCE": "Previous balance",
    "LATE_FEE": "Late fee",
    "DEPOSIT": "Deposit",
    "OWNER": "Owner’s part",
}
"""Those of the lines of a bill: utilities, and reasons why something is not billed."""
CHARGE_NAMES: Mapping[str, str] = {"TRASH" if of == "GARBAGE" else of: name for of, name in UTILITY_NAMES.items()}
"""Those of utilities by the types of charges, which say TRASH of garbage (OTHER: of a charge that has no type)."""


def within_a_sentence(name: str) -> str:
    """What a utility, or another line of a bill, is called within a sentence.

    >>> within_a_sentence("WATER"), within_a_sentence("GARBAGE"), within_a_sentence("LATE_FEE")
    ('water', 'garbage', 'late fee')
    """
    return LINE_NAMES[name].lower()
