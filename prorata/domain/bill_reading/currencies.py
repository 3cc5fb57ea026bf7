"""The currencies that a bill names, at its amounts and apart from them: "Amount due (CAD)", "All amounts in PLN"."""

from collections.abc import Iterable

from prorata.domain.bill_file_values import may_mean
from prorata.domain.countries import CURRENCIES


def are_one(signs: Iterable[str]) -> bool:
    """Whether signs and codes can all mean one currency.

    >>> are_one(["$", "CAD"]), are_one(["$", "EUR"]), are_one([])
    (True, False, True)
    """
    every = set(signs)
    return not every or any(all(may_mean(sign, code) for sign in every) for code in CURRENCIES)


def plainest(signs: Iterable[str]) -> str:
    """Of signs that mean one currency the one that says most: a code before a sign; "" of none.

    >>> plainest(["$", "CAD"]), plainest([])
    ('CAD', '')
    """
    return min(signs, key=lambda sign: (sign not in CURRENCIES, sign), default="")
