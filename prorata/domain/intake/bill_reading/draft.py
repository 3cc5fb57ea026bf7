"""A draft of a bill: each value with its place on the page and how sure it is, for a person to correct and confirm."""

from datetime import date
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from prorata.domain.intake.bill_reading.words import Place
from prorata.domain.texts import say
from prorata.domain.usage import Usage

Value = TypeVar("Value")
Surety = Literal["found", "asked", "missing"]


class Reading(NamedTuple, Generic[Value]):
    """One field of a draft.

    `found` has a value on two grounds. `asked` has what the value may be, one proposal, several, or none, and the
    reason, unless it is asked since it was read from a picture, which is said once for all of these. `missing` says
    that the document does not show it where it is looked for.
    """

    surety: Surety
    value: Value | None = None
    places: tuple[Place, ...] = ()
    reason: str | None = None
    choices: tuple[Value, ...] = ()


class Line(NamedTuple):
    """Part of the total, in cents: of a utility type, or of a reason for which no tenant pays (PREVIOUS_BALANCE,
    LATE_FEE, DEPOSIT). `places` are the amounts it was read from, `usage` is what was used, where an e-invoice says it.
    """

    name: str
    cents: int
    places: tuple[Place, ...]
    usage: Usage | None = None


class Budget(NamedTuple):
    """Under budget billing: what was really used, in cents, where the bill says so."""

    used: int | None
    places: tuple[Place, ...]


class Item(NamedTuple):
    """What an e-invoice charges for one thing, with its tax, in cents: under the `key` by which its seller is taught
    what that is for; the `kind` of its line once that is known, and the `choices` of what it may be. `usages` are
    what its lines say was used.
    """

    key: str
    name: str
    cents: int
    kind: str | None = None
    choices: tuple[str, ...] = ()
    usages: tuple[Usage, ...] = ()


class Stated(NamedTuple):
    """What an e-invoice states beside the values of a draft: its `seller`, as it is known by what it was taught; what
    it charges, in parts that are `exact` or hold tax of others; and its `accounts`, each with what it is called.
    """

    seller: str
    items: tuple[Item, ...]
    accounts: tuple[tuple[str, str], ...] = ()
    exact: bool = True


class Draft(NamedTuple):
    """What was read of one bill. Amounts are cents; `lines` sum to `total` when both are found. `sizes` are the width
    and height of its pages, in tenths of a point. What was read `from_picture` is never found: all of it is asked.
    `stated` is what an e-invoice says, where it was read of one; `note` says why not, where there is one that is wrong.
    """

    issuer: Reading[str]
    account_number: Reading[str]
    bill_number: Reading[str]
    bill_date: Reading[date]
    due_date: Reading[date]
    service_start: Reading[date]
    service_end: Reading[date]
    service_address: Reading[str]
    total: Reading[int]
    lines: Reading[tuple[Line, ...]]
    budget: Budget | None = None
    language: str | None = None
    currency: str = ""
    pages: int = 0
    sizes: tuple[tuple[int, int], ...] = ()
    from_picture: bool = False
    stated: Stated | None = None
    note: str | None = None


READINGS = tuple(name for name in Draft._fields if name not in Draft._field_defaults)
"""The fields of a draft that are read."""
_MISSING: dict[str, Any] = dict.fromkeys(READINGS, Reading("missing"))
UNREAD = Draft(**_MISSING)
"""The draft of a document that nothing could be read of."""


def found(value: Value, *places: Place) -> Reading[Value]:
    """A value on two grounds."""
    return Reading("found", value, places)


def asked(reason: str, *choices: Value, places: tuple[Place, ...] = ()) -> Reading[Value]:
    """A value that a person has to say, and what it may be."""
    return Reading("asked", choices[0] if len(choices) == 1 else None, places, reason, choices)


def missing(what: str) -> Reading[Value]:
    """A value that was looked for and is not there."""
    return Reading("missing", None, (), say("No {what} was found on the bill.", what=what))
