"""The names of utilities and unbilled reasons, for pages, sentences, files and English invoices."""

from collections.abc import Mapping
from typing import Literal, get_args

from prorata.domain.texts import say

UtilityType = Literal["ELECTRICITY", "WATER", "GAS", "INTERNET", "SEWER", "GARBAGE", "OTHER"]
PaymentStatus = Literal["UNPAID", "PAID", "PENDING", "OVERDUE"]
UTILITY_TYPES: tuple[str, ...] = get_args(UtilityType)
NotBilledReason = Literal["PREVIOUS_BALANCE", "LATE_FEE", "DEPOSIT", "OWNER"]
NOT_BILLED_REASONS: tuple[str, ...] = get_args(NotBilledReason)
"""The reasons for which lines are never divided among tenants, but borne by the owner.

`lines_of` (domain/bills/bills.py) gives such lines no utility, and `_divided` (domain/splitting/planned_invoices.py)
skips lines without one.
"""
PAYMENT_STATUSES: tuple[str, ...] = get_args(PaymentStatus)
UTILITY_NAMES: Mapping[str, str] = {
    "ELECTRICITY": say("Electricity"),
    "WATER": say("Water"),
    "GAS": say("Gas"),
    "INTERNET": say("Internet"),
    "SEWER": say("Sewer"),
    "GARBAGE": say("Garbage"),
    "OTHER": say("Other"),
}
LINE_NAMES: Mapping[str, str] = {
    **UTILITY_NAMES,
    "PREVIOUS_BALANCE": say("Previous balance"),
    "LATE_FEE": say("Late fee"),
    "DEPOSIT": say("Deposit"),
    "OWNER": say("Owner’s part"),
}
"""The names of bill lines: utilities, and reasons not to bill."""
CHARGE_NAMES: Mapping[str, str] = {"TRASH" if of == "GARBAGE" else of: name for of, name in UTILITY_NAMES.items()}
"""The names of utilities by charge type.

Garbage has the charge type TRASH; OTHER is for a charge without a type.
"""


_WITHIN: Mapping[str, str] = {
    "ELECTRICITY": say("electricity"),
    "WATER": say("water"),
    "GAS": say("gas"),
    "INTERNET": say("internet"),
    "SEWER": say("sewer"),
    "GARBAGE": say("garbage"),
    "OTHER": say("other"),
    "PREVIOUS_BALANCE": say("previous balance"),
    "LATE_FEE": say("late fee"),
    "DEPOSIT": say("deposit"),
    "OWNER": say("owner’s part"),
}


def within_a_sentence(name: str) -> str:
    """Return the name of a utility or an unbilled reason as written within a sentence.

    >>> within_a_sentence("WATER"), within_a_sentence("GARBAGE"), within_a_sentence("LATE_FEE")
    ('water', 'garbage', 'late fee')
    """
    return _WITHIN[name]
