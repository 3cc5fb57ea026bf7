"""What explanations look like to clients (docs/explanations.md): numbers are texts, but for counts, days and places."""

from typing import Literal

from msgspec import field

from prorata.web.http.response_schemas import Answer, Figures


class DaysOfLine(Answer):
    """The days that a line is for."""

    begin: str = field(name="from")
    end: str = field(name="to")
    days: int


class Spread(Answer):
    """How many of a bill's days a line is for, where the bill is billed over its months."""

    days: int
    of_days: int


class ExplainedBill(Answer):
    """The bill of a line."""

    id: str
    issuer: str
    date: str
    total: Figures


class LineOfBill(Answer):
    """A line of a bill; of one that is `notBilled`, all is the owner's."""

    bill: ExplainedBill
    number: int
    utility_type: str | None
    not_billed: str | None
    amount: Figures
    guessed: bool
    spread: Spread | None
    service: DaysOfLine


class BlendPart(Answer):
    """A method of a blend, and its percent."""

    split_method: str
    percent: str


class ExplainedRule(Answer):
    """The version of a share rule that is in force `since` a month; null is always."""

    utility_type: str
    since: str | None
    split_method: str | None
    blend: list[BlendPart]
    owner_percent: str
    vacant_occupants: str


class WeightedRule(ExplainedRule):
    """The same with the weights of units, by id, where its method needs them."""

    weights: dict[str, str]


class Part(Answer):
    """An exact share, as it was divided, and what it came to."""

    share: str
    part: Figures


class BlendMethod(Part):
    """What a method of a blend divides."""

    split_method: str
    percent: str


class ExplainedBlend(Answer):
    """How a line was parted over the methods of a blend; `cents` names who got one, in order."""

    methods: list[BlendMethod]
    owner: Part
    cents: list[str]


class HouseholdPart(Part):
    """What of a unit's part is a household's."""

    tenant_ids: list[str]
    days: int
    weight: str


class EmptyPart(Part):
    """What of it is for empty days."""

    days: int
    weight: str = "0"


class UnitPart(Part):
    """What of a step is a unit's, and how that falls on its households."""

    unit_id: str
    measure: str | None
    active_days: int
    weight: str
    households: list[HouseholdPart]
    empty: EmptyPart
    cents: list[str]


class MonthStep(Answer):
    """How one method divided its amount over units and the owner."""

    split_method: str
    amount: Figures
    weights: str
    units: list[UnitPart]
    owner: Part
    cents: list[str]


class OwnersPart(Answer):
    """The owner's part of a line, and what of it is for empty days."""

    part: Figures
    empty_days: Figures


class ExplainedLine(LineOfBill):
    """A line with all weights, shares and cents."""

    about: str
    blend: ExplainedBlend | None
    steps: list[MonthStep]
    owner: OwnersPart


class ExplainedStay(Answer):
    """A tenant's time in a unit, and for how many people."""

    tenant_id: str
    begin: str | None = field(name="from")
    end: str | None = field(name="to")
    occupants: int


class ExplainedUnit(Answer):
    """A unit that takes part, with its measures and stays."""

    id: str
    label: str
    sqft: str | None
    bedrooms: int | None
    active_from: str | None
    active_to: str | None
    stays: list[ExplainedStay]


class CarriedCorrection(Answer):
    """A correction of an earlier month that this one carries."""

    month: str
    unit_id: str
    tenant_id: str | None
    bill_id: str
    line: int
    utility_type: str | None
    amount: Figures
    sentence: str


class BorneLine(Answer):
    """What a household bears of a line."""

    bill_id: str
    line: int
    amount: Figures


class BorneCorrection(BorneLine):
    """What a household is charged of a correction."""

    month: str


class ExplainedHousehold(Answer):
    """What a household bears; without tenants: what falls on a unit in which nobody lived on any of the days."""

    unit_id: str
    tenant_ids: list[str]
    charges: list[BorneLine]
    corrections: list[BorneCorrection]
    total: Figures


class MonthExplanation(Answer):
    """How every line of a month was divided, with the facts that it was computed from."""

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
    """The unit's share of a step, and its place among the cents that were left."""

    measure: str | None
    by_days: bool
    active_days: int
    weight: str
    weights: str
    cents_left: int
    place: int


class OwnHousehold(Part):
    """The household's share of the unit's part, and its place among the cents that were left."""

    days: int
    of_days: int
    empty_days: int
    weight: str
    weights: str
    cents_left: int
    place: int


class InvoiceStep(Answer):
    """How one method came to the household's part of its amount."""

    split_method: str
    percent: str | None
    amount: Figures
    unit: OwnUnit | None
    household: OwnHousehold | None
    part: Figures


class Deduction(Answer):
    """What of the bill is not billed to anybody."""

    reason: str | None
    amount: Figures


class ExplainedCharge(Answer, omit_defaults=True):
    """A charge: a `share` has all but `billId` and `correctsMonth`; the other kinds have little but a sentence."""

    kind: Literal["share", "correction", "byHand", "stated"]
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


class InvoiceNamed(Answer):
    """Which invoice it is."""

    id: str
    number: str
    unit: str
    sequence: int
    tenant_id: str | None


class InvoiceExplanation(Answer):
    """How the charges of an invoice came about, naming no neighbor."""

    format: Literal["prorata-explanation/1"]
    of: Literal["invoice"]
    property_id: str
    month: str
    currency: str
    invoice: InvoiceNamed
    charges: list[ExplainedCharge]
    total: Figures
    sha256: str
