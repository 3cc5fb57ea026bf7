"""A draft of a bill for confirmation: each value with its place and certainty."""

from datetime import date
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from prorata.domain.intake.bill_reading.words import Place
from prorata.domain.texts import say
from prorata.domain.usage import Usage

Value = TypeVar("Value")
Surety = Literal["found", "asked", "missing"]


class Reading(NamedTuple, Generic[Value]):
    """One field of a draft, with its certainty (`surety`).

    A `found` field has a value that two independent grounds support. An `asked` field has any number of `choices`,
    and the reason why a person must choose. If the document is a picture, `reason` is None, because the reason is
    the same for all fields. `missing` means that the document does not show the value where it is expected.
    """

    surety: Surety
    value: Value | None = None
    places: tuple[Place, ...] = ()
    reason: str | None = None
    choices: tuple[Value, ...] = ()


class Line(NamedTuple):
    """Part of the total, in cents: for a utility type, or for an unbilled reason.

    The reasons are PREVIOUS_BALANCE, LATE_FEE and DEPOSIT. `places` are the places of the amounts on the bill, and
    `usage` is the usage if an e-invoice states it.
    """

    name: str
    cents: int
    places: tuple[Place, ...]
    usage: Usage | None = None


class Budget(NamedTuple):
    """Places of budget billing amounts on a bill, and the cost of actual usage.

    The cost, in cents, is None if the bill doesn't state it.
    """

    used: int | None
    places: tuple[Place, ...]


class Item(NamedTuple):
    """An item of an e-invoice; its amount in cents includes tax.

    Prorata remembers by `key` what the seller's item is for (see `lesson_of`). `kind` is the kind of bill line,
    once it is known, and `choices` are the possible kinds. `usages` are the usages that the item's lines state.
    """

    key: str
    name: str
    cents: int
    kind: str | None = None
    choices: tuple[str, ...] = ()
    usages: tuple[Usage, ...] = ()


class Stated(NamedTuple):
    """The statements of an e-invoice for which a draft has no fields.

    `seller` is the key of the lesson that was learned from the seller's earlier invoices. The amounts of `items`
    are `exact` unless they include tax on other items. `accounts` are pairs of a possible account number and the
    name of the e-invoice's field that contains it.
    """

    seller: str
    items: tuple[Item, ...]
    accounts: tuple[tuple[str, str], ...] = ()
    exact: bool = True


class Draft(NamedTuple):
    """The draft of one bill.

    Amounts are in cents; `lines` sum to `total` if both are found. `sizes` are the widths and heights of the pages,
    in tenths of a point. If the values were read `from_picture`, none is found: a person is asked for all. `stated`
    is set if the draft was read from an e-invoice. If the file contains a faulty e-invoice, `note` says why it was
    not used.
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
"""The names of the draft's fields that are readings."""
_MISSING: dict[str, Any] = dict.fromkeys(READINGS, Reading("missing"))
UNREAD = Draft(**_MISSING)
"""The draft of a document from which nothing could be read."""


def found(value: Value, *places: Place) -> Reading[Value]:
    """Build the reading of a value that two independent grounds support."""
    return Reading("found", value, places)


def asked(reason: str, *choices: Value, places: tuple[Place, ...] = ()) -> Reading[Value]:
    """Build the reading of a value that a person must choose, with the reason."""
    return Reading("asked", choices[0] if len(choices) == 1 else None, places, reason, choices)


def missing(what: str) -> Reading[Value]:
    """Build the reading of a value not found on the bill; `what` names it."""
    return Reading("missing", None, (), say("No {what} was found on the bill.", what=what))
