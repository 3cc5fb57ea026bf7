"""Explanations as clients read them (docs/explanations.md).

All numbers are strings, except for counts, numbers of days, and positions.
"""

from typing import Literal

from msgspec import field

from prorata.web.http.response_schemas import Answer, Figures


class DaysOfLine(Answer):
    """The first and last day that a line covers, and the number of days."""

    begin: str = field(name="from")
    end: str = field(name="to")
    days: int


class Spread(Answer):
    """The number of a spread bill's days that a line covers."""

    days: int
    of_days: int


class ExplainedBill(Answer):
    """The bill that a line belongs to."""

    id: str
    issuer: str
    date: str
    total: Figures


class LineOfBill(Answer):
    """A bill line; if it has a `notBilled` reason, the owner bears all of it."""

    bill: ExplainedBill
    number: int
    utility_type: str | None
    not_billed: str | None
    amount: Figures
    guessed: bool
    spread: Spread | None
    service: DaysOfLine


class BlendPart(Answer):
    """A split method that is part of a blend, with its percentage."""

    split_method: str
    percent: str


class ExplainedRule(Answer):
    """A version of a share rule, which applies from the month `since`.

    If `since` is null, the version applies from the beginning.
    """

    utility_type: str
    since: str | None
    split_method: str | None
    blend: list[BlendPart]
    owner_percent: str
    vacant_occupants: str


class WeightedRule(ExplainedRule):
    """A rule version, with the units' weights by unit id if it uses weights."""

    weights: dict[str, str]


class Part(Answer):
    """An exact share as a fraction, and the resulting amount, rounded to cents."""

    share: str
    part: Figures


class BlendMethod(Part):
    """A split method of a blend, with its percentage and its part of the line."""

    split_method: str
    percent: str


class ExplainedBlend(Answer):
    """The division of a line among a blend's methods and the owner.

    `cents` lists, in order, those of them that received the cents left over by rounding.
    """

    methods: list[BlendMethod]
    owner: Part
    cents: list[str]


class HouseholdPart(Part):
    """A household's share of its unit's part of the amount."""

    tenant_ids: list[str]
    days: int
    weight: str


class EmptyPart(Part):
    """The share of a unit's part that is for days on which nobody lived there."""

    days: int
    weight: str = "0"


class UnitPart(Part):
    """A unit's part of a split method's amount, divided among the unit's households."""

    unit_id: str
    measure: str | None
    active_days: int
    weight: str
    households: list[HouseholdPart]
    empty: EmptyPart
    cents: list[str]


class MonthStep(Answer):
    """The amount that one split method divides, and its division among units and owner."""

    split_method: str
    amount: Figures
    weights: str
    units: list[UnitPart]
    owner: Part
    cents: list[str]


class OwnersPart(Answer):
    """The owner's part of a line, including the amount for days when units were empty."""

    part: Figures
    empty_days: Figures


class ExplainedLine(LineOfBill):
    """A bill line, with every weight, share and cent of its division."""

    about: str
    blend: ExplainedBlend | None
    steps: list[MonthStep]
    owner: OwnersPart


class ExplainedStay(Answer):
    """A tenant's stay in a unit, and the number of the tenant's occupants."""

    tenant_id: str
    begin: str | None = field(name="from")
    end: str | None = field(name="to")
    occupants: int


class ExplainedUnit(Answer):
    """One of the units among which lines are divided, with measures and tenants' stays."""

    id: str
    label: str
    sqft: str | None
    bedrooms: int | None
    active_from: str | None
    active_to: str | None
    stays: list[ExplainedStay]


class CarriedCorrection(Answer):
    """A correction of an earlier month that the invoices of this month carry."""

    month: str
    unit_id: str
    tenant_id: str | None
    bill_id: str
    line: int
    utility_type: str | None
    amount: Figures
    sentence: str


class BorneLine(Answer):
    """The amount that a household is charged for one bill line."""

    bill_id: str
    line: int
    amount: Figures


class BorneCorrection(BorneLine):
    """The amount that a household is charged for one carried correction."""

    month: str


class ExplainedHousehold(Answer):
    """The amounts that a household is charged.

    If `tenantIds` is empty, these are the amounts for a unit in which nobody lived on any of the days.
    """

    unit_id: str
    tenant_ids: list[str]
    charges: list[BorneLine]
    corrections: list[BorneCorrection]
    total: Figures


class MonthExplanation(Answer):
    """The division of every bill line of a month, with the facts behind it."""

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
    """The unit's share of a split method's amount, and its turn for left-over cents.

    `centsLeft` cents were left over by rounding, and `place` is the unit's place in the order in which they are
    given out.
    """

    measure: str | None
    by_days: bool
    active_days: int
    weight: str
    weights: str
    cents_left: int
    place: int


class OwnHousehold(Part):
    """The household's share of its unit's part, and its turn for left-over cents.

    `centsLeft` cents were left over by rounding, and `place` is the household's place in the order in which they
    are given out.
    """

    days: int
    of_days: int
    empty_days: int
    weight: str
    weights: str
    cents_left: int
    place: int


class InvoiceStep(Answer):
    """The steps from one split method's amount to a household's part of it.

    `unit` is the unit's share of the amount, and `household` the household's share of the unit's part.
    """

    split_method: str
    percent: str | None
    amount: Figures
    unit: OwnUnit | None
    household: OwnHousehold | None
    part: Figures


class Deduction(Answer):
    """An amount of the bill that no tenant is charged."""

    reason: str | None
    amount: Figures


class ExplainedCharge(Answer, omit_defaults=True):
    """A charge's explanation; docs/explanations.md lists the fields of each `kind`."""

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
    """The invoice whose charges are explained."""

    id: str
    number: str
    unit: str
    sequence: int
    tenant_id: str | None


class InvoiceExplanation(Answer):
    """The calculation of an invoice's charges, which names no other tenants of the property."""

    format: Literal["prorata-explanation/1"]
    of: Literal["invoice"]
    property_id: str
    month: str
    currency: str
    invoice: InvoiceNamed
    charges: list[ExplainedCharge]
    total: Figures
    sha256: str
