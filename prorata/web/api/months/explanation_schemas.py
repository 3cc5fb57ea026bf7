"""Explanations as clients read them (docs/explanations.md).

Numbers are strings, except for counts, days and positions.
"""

from typing import Literal

from msgspec import field

from prorata.web.http.response_schemas import Answer, Figures


class DaysOfLine(Answer):
    """The first and last day that a line covers, and their number."""

    begin: str = field(name="from")
    end: str = field(name="to")
    days: int


class Spread(Answer):
    """The days of a spread bill that a line covers."""

    days: int
    of_days: int


class ExplainedBill(Answer):
    """The bill that a line belongs to."""

    id: str
    issuer: str
    date: str
    total: Figures


class LineOfBill(Answer):
    """A bill line; if it is `notBilled`, the owner bears all of it."""

    bill: ExplainedBill
    number: int
    utility_type: str | None
    not_billed: str | None
    amount: Figures
    guessed: bool
    spread: Spread | None
    service: DaysOfLine


class BlendPart(Answer):
    """A method of a blend, with its percentage."""

    split_method: str
    percent: str


class ExplainedRule(Answer):
    """The version of a share rule in force `since` a month; null means always."""

    utility_type: str
    since: str | None
    split_method: str | None
    blend: list[BlendPart]
    owner_percent: str
    vacant_occupants: str


class WeightedRule(ExplainedRule):
    """A rule version with units' weights by id, if its method needs them."""

    weights: dict[str, str]


class Part(Answer):
    """An exact share, and the amount that it yields."""

    share: str
    part: Figures


class BlendMethod(Part):
    """A split method of a blend and its percentage."""

    split_method: str
    percent: str


class ExplainedBlend(Answer):
    """A line's division among a blend's methods; `cents` lists the receivers of spare cents."""

    methods: list[BlendMethod]
    owner: Part
    cents: list[str]


class HouseholdPart(Part):
    """A household's share of a unit's part."""

    tenant_ids: list[str]
    days: int
    weight: str


class EmptyPart(Part):
    """The share of a unit's part for days on which the unit was empty."""

    days: int
    weight: str = "0"


class UnitPart(Part):
    """A unit's part of a step, and its division among the unit's households."""

    unit_id: str
    measure: str | None
    active_days: int
    weight: str
    households: list[HouseholdPart]
    empty: EmptyPart
    cents: list[str]


class MonthStep(Answer):
    """A split method's division of its amount among the units and the owner."""

    split_method: str
    amount: Figures
    weights: str
    units: list[UnitPart]
    owner: Part
    cents: list[str]


class OwnersPart(Answer):
    """The owner's part of a line; `emptyDays` is its amount for days without tenants."""

    part: Figures
    empty_days: Figures


class ExplainedLine(LineOfBill):
    """A line with all weights, shares and cents."""

    about: str
    blend: ExplainedBlend | None
    steps: list[MonthStep]
    owner: OwnersPart


class ExplainedStay(Answer):
    """A tenant's stay in a unit, and the number of occupants."""

    tenant_id: str
    begin: str | None = field(name="from")
    end: str | None = field(name="to")
    occupants: int


class ExplainedUnit(Answer):
    """A unit that takes part in the division, with its measures and stays."""

    id: str
    label: str
    sqft: str | None
    bedrooms: int | None
    active_from: str | None
    active_to: str | None
    stays: list[ExplainedStay]


class CarriedCorrection(Answer):
    """A correction of an earlier month, carried by this month."""

    month: str
    unit_id: str
    tenant_id: str | None
    bill_id: str
    line: int
    utility_type: str | None
    amount: Figures
    sentence: str


class BorneLine(Answer):
    """The amount of a bill line that a household is charged."""

    bill_id: str
    line: int
    amount: Figures


class BorneCorrection(BorneLine):
    """The amount that a household is charged for a correction."""

    month: str


class ExplainedHousehold(Answer):
    """A household's charges; without tenants, the amount for a unit vacant on all days."""

    unit_id: str
    tenant_ids: list[str]
    charges: list[BorneLine]
    corrections: list[BorneCorrection]
    total: Figures


class MonthExplanation(Answer):
    """The division of every line of a month, with the facts behind it."""

    format: Literal["prorata-explanation/1"]
    of: Literal["month"]
    property_id: str
    month: str
    currency: str
    units: list[ExplainedUnit]
    rules: list[WeightedRule]
    lines: list[ExplainedLine]
    corrections: list[CarriedCorrection]
    households: list[ExplainedHousehold]
    owner: Figures
    total: Figures
    sha256: str


class OwnUnit(Part):
    """The unit's share of a step, and its rank for spare cents."""

    measure: str | None
    by_days: bool
    active_days: int
    weight: str
    weights: str
    cents_left: int
    place: int


class OwnHousehold(Part):
    """The household's share of the unit's part, and its rank for spare cents."""

    days: int
    of_days: int
    empty_days: int
    weight: str
    weights: str
    cents_left: int
    place: int


class InvoiceStep(Answer):
    """A household's part of one split method's amount, step by step."""

    split_method: str
    percent: str | None
    amount: Figures
    unit: OwnUnit | None
    household: OwnHousehold | None
    part: Figures


class Deduction(Answer):
    """An amount of the bill that is charged to nobody."""

    reason: str | None
    amount: Figures


class ExplainedCharge(Answer, omit_defaults=True):
    """A charge, with the fields of its kind, which docs/explanations.md lists."""

    kind: Literal["share", "correctedShare", "correction", "byHand", "stated"]
    amount: Figures
    sentence: str
    line: LineOfBill | int | None = None
    bill_id: str | None = None
    utility_type: str | None = None
    corrects_month: str | None = None
    deductions: list[Deduction] | None = None
    other_lines: Figures | None = None
    rule: ExplainedRule | None = None
    steps: list[InvoiceStep] | None = None
    share: str | None = None
    part: Figures | None = None
    issued_before: Figures | None = None
    corrects_tenant_id: str | None = None
    charged: Figures | None = None
    left_to_owner: Figures | None = None
    undecided: Figures | None = None


class InvoiceNamed(Answer):
    """The invoice that an explanation is about."""

    id: str
    number: str
    unit: str
    sequence: int
    tenant_id: str | None


class InvoiceExplanation(Answer):
    """The calculation of an invoice's charges, which names no neighbor."""

    format: Literal["prorata-explanation/1"]
    of: Literal["invoice"]
    property_id: str
    month: str
    currency: str
    invoice: InvoiceNamed
    charges: list[ExplainedCharge]
    total: Figures
    sha256: str
