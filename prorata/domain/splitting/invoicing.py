"""A property-month: lines, rules, units → each unit's charges and the owner's part; and what changed against before.

A pure function of its facts: the same facts give the same charges, so recalculating without a change writes nothing.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from prorata.domain.locale_forms import FORMER, PLAIN, Forms
from prorata.domain.money import in_words
from prorata.domain.splitting.allocation import Division, divide
from prorata.domain.splitting.month_facts import Line, MonthFacts

_NO_CHARGE_TYPE = "OTHER"
_CHARGE_TYPES = {"GARBAGE": "TRASH"}

LineKey = tuple[str, int]
"""A line's bill and its number in the bill."""


class PlannedCharge(NamedTuple):
    """What a unit pays of one line, in cents, and why. Without a utility type it is a custom charge (OTHER)."""

    bill_id: str
    line: int
    utility_type: str | None
    amount: int
    description: str


class PlannedMonth(NamedTuple):
    """The charges of every unit that has an invoice, the owner's part of every line, and what is missing.

    `missing` holds (unit id, utility type): a measure the rule needs and nobody has entered.
    """

    charges: Mapping[str, tuple[PlannedCharge, ...]]
    owner: Mapping[LineKey, int]
    missing: frozenset[tuple[str, str]] = frozenset()


def plan_month(facts: MonthFacts, cancelled: Collection[str] = (), write: Forms = PLAIN) -> PlannedMonth:
    """Divide every line of a property-month over the units that take part.

    A unit whose invoice is `cancelled` gets no charges here: its part is the owner's while that lasts. For every
    line, the charges and the owner's part sum to the line (docs/decisions.md#the-owners-part). `write` is `FORMER` for
    charges as they were written before.
    """
    charges: dict[str, list[PlannedCharge]] = {}
    if facts.bills_anybody:
        charges = {unit.unit_id: [] for unit in facts.participants if unit.unit_id not in cancelled}
    owner: dict[LineKey, int] = {}
    missing: set[tuple[str, str]] = set()
    for line in facts.lines:
        if line.utility_type is None:
            owner[line.bill_id, line.number] = line.amount
            continue
        rule = facts.rules.get(line.utility_type)
        division = divide(line.amount, rule, facts.month, facts.participants, write)
        owners = division.owner
        missing.update((unit_id, line.utility_type) for unit_id in division.missing)
        about = about_bill(line, facts.currency)
        for at, (unit, part) in enumerate(zip(facts.participants, division.parts, strict=False)):
            mine = charges.get(unit.unit_id)
            if mine is None:
                owners += part
            else:
                mine.append(charge_of(line, about, division, at, write))
        owner[line.bill_id, line.number] = owners
    return PlannedMonth({unit: tuple(parts) for unit, parts in charges.items()}, owner, frozenset(missing))


def charge_type(utility_type: str) -> str | None:
    """The utility type of the charges of a line; None where they are custom charges."""
    return None if utility_type == _NO_CHARGE_TYPE else _CHARGE_TYPES.get(utility_type, utility_type)


def charge_of(line: Line, about: str, division: Division, at: int, write: Forms = PLAIN) -> PlannedCharge:
    """What the unit that stands `at` a place pays of a line; `about` is what `about_bill` says."""
    kind = charge_type(line.utility_type or "")
    cents = "" if write is FORMER else cents_in_words(division.cents(line.amount, at))
    said = f"{about}: {division.reasons[at]}{cents}"
    return PlannedCharge(line.bill_id, line.number, kind, division.parts[at], said)


def cents_in_words(cents: int) -> str:
    """The cents of a part that its measures do not give, as the end of its sentence.

    >>> cents_in_words(0), cents_in_words(-1)
    ('', ', and one cent less, so that all shares add up to the bill')
    """
    if not cents:
        return ""
    number = "one cent" if cents in (1, -1) else f"{abs(cents)} cents"
    return f", and {number} {'more' if cents > 0 else 'less'}, so that all shares add up to the bill"


def about_bill(line: Line, currency: str) -> str:
    """The first half of a charge's sentence: which bill, and which part of it.

    "Aqua Water Co., bill of 2026-03-14, $320.10", or of a combined bill "…, $320.10, of which water $120.00"; of a
    bill that is spread over its months "…, of which water $160.05 for 31 of 62 days".
    """
    said = f"{line.issuer}, bill of {line.bill_date.isoformat()}, {in_words(line.bill_total, currency)}"
    if line.amount == line.bill_total:
        return said
    said = f"{said}, of which {(line.utility_type or '').lower()} {in_words(line.amount, currency)}"
    if line.days is not None:
        said = f"{said} for {line.days} of {line.of_days} days"
    return f"{said} (divided equally, as the bill gives no amounts)" if line.guessed else said


class ChargeChanges(NamedTuple):
    """What makes one invoice's charges the planned ones; charges that did not change keep their ids."""

    add: tuple[PlannedCharge, ...]
    change: tuple[tuple[str, PlannedCharge], ...]
    """(charge id, what it becomes)"""
    remove: tuple[str, ...]

    def __bool__(self) -> bool:
        """Whether anything changed."""
        return bool(self.add or self.change or self.remove)


def compare(
    before: Iterable[tuple[str, PlannedCharge]], planned: Iterable[PlannedCharge], *, keeps_words: bool = False
) -> ChargeChanges:
    """What changed between the charges that are stored, with their ids, and those that are planned. One that
    `keeps_words`, as those of a closed month do, is not changed where its sentence alone would be.

    >>> old = PlannedCharge("bill_1", 1, "WATER", 500, "…")
    >>> compare([("chg_1", old)], [old])
    ChargeChanges(add=(), change=(), remove=())
    >>> compare([("chg_1", old)], [old._replace(amount=600)]).change[0][1].amount
    600
    """
    stored = {(charge.bill_id, charge.line): (charge_id, charge) for charge_id, charge in before}
    add, change = [], []
    for charge in planned:
        charge_id, was = stored.pop((charge.bill_id, charge.line), (None, None))
        if charge_id is None:
            add.append(charge)
        elif was != (charge._replace(description=was.description) if keeps_words and was else charge):
            change.append((charge_id, charge))
    return ChargeChanges(tuple(add), tuple(change), tuple(charge_id for charge_id, _ in stored.values()))
