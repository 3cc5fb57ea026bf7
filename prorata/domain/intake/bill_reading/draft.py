"""A draft of a bill for confirmation: each value has its place and certainty."""

from datetime import date
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from prorata.domain.intake.bill_reading.words import Place
from prorata.domain.texts import say
from prorata.domain.usage import Usage

Value = TypeVar("Value")
Surety = Literal["found", "asked", "missing"]


class Reading(NamedTuple, Generic[Value]):
    """One field of a draft.

    `found` has a value on two grounds. `asked` has the possible values, one, several or none, and the reason,
    except for values read from a picture, for which it is stated once for all. `missing` tells that the document
    does not show the value where it is expected.
    """

    surety: Surety
    value: Value | None = None
    places: tuple[Place, ...] = ()
    reason: str | None = None
    choices: tuple[Value, ...] = ()


class Line(NamedTuple):
    """Part of the total, in cents: for a utility type, or for an unbilled reason.

    The reasons are PREVIOUS_BALANCE, LATE_FEE and DEPOSIT. `places` are the amounts from which it was read, and `usage`
    is the usage if an e-invoice states it.
    """

    name: str
    cents: int
    places: tuple[Place, ...]
    usage: Usage | None = None


class Budget(NamedTuple):
    """Budget billing: the cost of the actual usage, in cents, if the bill states it."""

    used: int | None
    places: tuple[Place, ...]


class Item(NamedTuple):
    """An item of an e-invoice with its tax, in cents.

    The seller's lesson tells by `key` what the item is for. `kind` is the kind of its line once known, `choices` are
    the possible kinds, and `usages` are the usages that its lines state.
    """

    key: str
    name: str
    cents: int
    kind: str | None = None
    choices: tuple[str, ...] = ()
    usages: tuple[Usage, ...] = ()


class Stated(NamedTuple):
    """The statements of an e-invoice for which a draft has no values.

    These are its `seller`, which identifies its lesson; its items, which are `exact` unless they include tax on other
    items; and its `accounts`, each with its name.
    """

    seller: str
    items: tuple[Item, ...]
    accounts: tuple[tuple[str, str], ...] = ()
    exact: bool = True


class Draft(NamedTuple):
    """The draft of one bill.

    Amounts are cents; `lines` sum to `total` when both are found. `sizes` are the width and height of its pages, in
    tenths of a point. Values read `from_picture` are never found: all are asked. `stated` contains the statements of an
    e-invoice if the draft was read from one. `note` explains why it wasn't if the file contains a faulty one.
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
"""The draft of a document from which nothing could be read."""


def found(value: Value, *places: Place) -> Reading[Value]:
    """Make a value found on two grounds."""
    return Reading("found", value, places)


def asked(reason: str, *choices: Value, places: tuple[Place, ...] = ()) -> Reading[Value]:
    """Make a value that a person has to state, with its possible values."""
    return Reading("asked", choices[0] if len(choices) == 1 else None, places, reason, choices)


def missing(what: str) -> Reading[Value]:
    """Make a value that was looked for and not found."""
    return Reading("missing", None, (), say("No {what} was found on the bill.", what=what))
