"""The bodies of the API's responses (docs/contract.md, docs/decisions.md#added-fields)."""

from typing import Annotated, Any, Generic, Literal, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType

from prorata.actions.lists.walks import Listed
from prorata.domain.invoice_states import Status
from prorata.domain.invoices.ledger import Kind, Method as PaymentMethod
from prorata.domain.mail.deliveries import Delivery
from prorata.domain.splitting.split_methods import Method
from prorata.domain.utility_names import PaymentStatus, UtilityType
from prorata.web.http.fields import Number
from prorata.web.http.request_schemas import MonthRule, PageQuery

T = TypeVar("T")


class Answer(Struct, kw_only=True, rename="camel"):
    """The body of a response."""


Timestamp = Annotated[
    str, Meta(description="In UTC, such as 2026-03-01T00:00:00.000Z.", extra_json_schema={"format": "date-time"})
]
Day = Annotated[str, Meta(description="A date, as YYYY-MM-DD.", extra_json_schema={"format": "date"})]
Figures = Annotated[
    str,
    Meta(
        description="An amount of money with two decimals, such as 12.30.",
        extra_json_schema={"pattern": r"^-?[0-9]+\.[0-9]{2}$"},
    ),
]
ItsBill = Annotated[
    str | None, Meta(description="The utility bill that this is a share of; null for a charge of your own.")
]
ItsLine = Annotated[int | None, Meta(description="The number of the line on that bill, from 1.")]
JsonNumber = Annotated[Number, Meta(extra_json_schema={"type": "number"})]


class Pagination(Answer):
    """The position of a page in its list."""

    total: int
    page: int
    limit: int
    total_pages: int


class Page(Answer, Generic[T]):
    """A part of a list: a page with `pagination`, or records with the `next` cursor."""

    data: list[T]
    pagination: Pagination | UnsetType = UNSET
    next: Annotated[
        str | UnsetType | None,
        Meta(
            description="The `after` value for the next records, even if this response contains none; null at the end."
        ),
    ] = UNSET


def part_of(data: list[T], listed: Listed[Any], query: PageQuery) -> Page[T]:
    """Build the response to a list request: a page, or records with a cursor."""
    if listed.total is None:
        return Page(data=data, next=listed.next)
    return page_of(data, listed.total, query)


def page_of(data: list[T], total: int, query: PageQuery) -> Page[T]:
    """Return a page with its `pagination`; `totalPages` is 0 for an empty list."""
    pages = -(-total // query.limit)
    return Page(data=data, pagination=Pagination(total=total, page=query.page, limit=query.limit, total_pages=pages))


class Message(Answer):
    """A message that confirms what was done."""

    message: str


class Property(Answer):
    """A property, to which units, tenants, bills and invoices belong."""

    id: str
    name: str
    street_number: str
    street: str
    city: str
    state: str
    zip: str
    country: str
    is_active: bool
    created_at: Timestamp
    updated_at: Timestamp
    billing_starts_month: str | None
    currency: str
    billing_month_rule: MonthRule | None


class Tenant(Answer):
    """A tenant of a unit."""

    id: str
    unit_id: str
    name: str
    email: str | None
    created_at: Timestamp
    updated_at: Timestamp
    move_in_date: Day | None
    move_out_date: Day | None
    occupants: int
    forwarding_email: str | None
    forwarding_address: str | None


class Unit(Answer):
    """A unit of a property; lists include `tenants` only on request."""

    id: str
    property_id: str
    label: str
    sqft: JsonNumber | None
    bedrooms: int | None
    monthly_rent: JsonNumber | None
    is_active: bool
    created_at: Timestamp
    updated_at: Timestamp
    active_from: Day | None
    active_to: Day | None
    tenants: list[Tenant] | UnsetType = UNSET


class UnitWithTenants(Unit):
    """A unit with its tenants."""

    tenants: list[Tenant]


class UnitRemoved(Message):
    """The result of deleting a unit."""

    is_deactivated: bool


class RuleVersion(Answer):
    """A rule version, which applies from `effectiveFrom` on; null means from the beginning."""

    effective_from: str | None
    split_method: Method
    is_active: bool
    custom_weights_json: str | None
    split_method_id: str | None
    owner_percent: JsonNumber
    vacant_occupants: JsonNumber


class ShareRule(Answer):
    """The share rule for one utility type of a property."""

    id: str
    property_id: str
    utility_type: UtilityType
    split_method: Method
    is_active: bool
    custom_weights_json: str | None
    split_method_id: str | None
    owner_percent: JsonNumber
    vacant_occupants: JsonNumber
    created_at: Timestamp
    updated_at: Timestamp
    effective_from: str | None
    versions: list[RuleVersion]


class Component(Answer):
    """One split method of a blend, with its percentage."""

    split_method: str
    percent: JsonNumber


class SplitMethod(Answer):
    """A split method: one of the six built-in ones, or one of your blends."""

    id: str
    name: str
    description: str
    built_in: bool
    components: list[Component]


class UtilityBill(Answer):
    """A utility bill of a property."""

    id: str
    property_id: str
    issuer_name: str
    utility_type: list[UtilityType]
    total_amount_due: JsonNumber
    bill_date: Day
    due_date: Day | None
    payment_status: PaymentStatus
    created_at: Timestamp
    billing_month: str | None
    waiting: bool
    held: bool


class BillProperty(Answer):
    """The property of a bill."""

    id: str
    name: str


class UtilityBillInFull(UtilityBill):
    """A utility bill with its notes and property."""

    notes: str | None
    property: BillProperty


class InvoiceUnit(Answer):
    """The unit of an invoice."""

    id: str
    label: str
    sqft: JsonNumber | None
    bedrooms: int | None


class InvoiceProperty(Answer):
    """The property of an invoice."""

    id: str
    name: str
    currency: str


class Charge(Answer, kw_only=False):  # positional: a page has hundreds, and keywords take twice the time
    """A household's share of a bill line, or a correction of such a share."""

    id: str
    utility_type: Literal["ELECTRICITY", "GAS", "WATER", "SEWER", "TRASH", "INTERNET"]
    amount: Figures
    description: str
    invoice_month: Timestamp
    corrects_month: str | None = None
    bill_id: ItsBill = None
    line: ItsLine = None


class CustomCharge(Answer, kw_only=False):
    """A custom charge, or a household's share of a bill line of the type OTHER."""

    id: str
    description: str
    amount: Figures
    invoice_month: Timestamp
    corrects_month: str | None = None
    bill_id: ItsBill = None
    line: ItsLine = None


class Correction(Answer):
    """A household's correct amount for a bill line, compared with the amount on its invoices."""

    month: str
    unit_id: str | None
    unit_label: str | None
    tenant_id: str | None
    tenant_name: str | None
    utility_bill_id: str
    line: int
    utility_type: Literal["ELECTRICITY", "GAS", "WATER", "SEWER", "TRASH", "INTERNET"] | None
    right: Figures
    issued: Figures
    difference: Figures
    pending: Figures
    placed: Figures
    left_to_owner: Figures
    carrier_month: str | None
    description: str


class InvoiceHead(Answer):
    """An invoice of a household for a month."""

    id: str
    property_id: str
    unit_id: str
    month: Timestamp
    status: Status
    invoice_number: str
    invoice_date: Timestamp
    due_date: Day | None
    total_amount: Figures
    paid_amount: Figures
    paid_at: Timestamp | None
    tenant_email: str | None
    tenant_name: str | None
    payment_status: Literal["pending", "paid", "failed", "cancelled"]
    gateway_payment_link_id: str | None
    gateway_payment_link_url: str | None
    email_sent_at: Timestamp | None
    email_status: Literal["sent", "delivered", "bounced"] | None
    delivery: Delivery | None
    generated_at: Timestamp
    updated_at: Timestamp
    pending_changes: bool
    missing_facts: bool
    unit: InvoiceUnit
    property: InvoiceProperty
    sequence: Annotated[
        int,
        Meta(description="0 is the unit's own invoice of the month; another household in it has one of 1, 2, …"),
    ]
    tenant_id: Annotated[
        str | None, Meta(description="The tenant to whom the invoice is addressed; null while nobody lives there.")
    ]
    replaces_number: Annotated[
        str | None,
        Meta(
            description="The number under which the invoice was sent before, with a different total; null if there "
            "is none."
        ),
    ]


class Invoice(InvoiceHead):
    """An invoice in a list; `charges`, `customCharges` and `tenant` are included on request."""

    charges: list[Charge] | UnsetType = UNSET
    custom_charges: list[CustomCharge] | UnsetType = UNSET
    tenant: Tenant | UnsetType | None = UNSET


class PaymentLink(Answer):
    """The address for paying an invoice online, or the reason why there is none."""

    url: str | None
    why_none: Annotated[
        str | None,
        Meta(description="Why there is no link, in a sentence; also null if there is no provider and nothing to pay."),
    ]


class Payment(Answer):
    """An entry of an invoice's ledger."""

    id: str
    invoice_id: str
    kind: Annotated[
        Kind,
        Meta(
            description="A REVERSAL takes back the entry given in `reverses`. A CARRY is a credit that moved to or "
            "from another invoice of the household: one entry in each ledger, under the same id."
        ),
    ]
    amount: Annotated[
        Figures,
        Meta(description="With two decimals; negative only for a CARRY from this invoice, and for its reversal."),
    ]
    date: Day
    method: PaymentMethod
    provider: Annotated[
        str | None,
        Meta(description="The provider through which the payment came; null: entered by hand, or from a file."),
    ]
    reference: str | None
    note: str | None
    reverses: str | None
    is_reversed: Annotated[
        bool, Meta(description="Whether a REVERSAL has taken the entry back, so that it no longer counts.")
    ]
    created_at: Timestamp


class InvoiceInFull(InvoiceHead):
    """An invoice with its charges."""

    charges: list[Charge]
    custom_charges: list[CustomCharge]


class Detail(Answer):
    """A problem with a field of the request."""

    field: str
    message: str


class Error(Answer):
    """The body of every response that reports an error."""

    error: Annotated[str, Meta(description="A sentence that says what to do.")]
    code: Annotated[str, Meta(description="A code for what went wrong, for programs to read.")]
    status: Annotated[int, Meta(description="The HTTP status.")]
    details: Annotated[list[Detail], Meta(description="All the problems found.")] | UnsetType = UNSET
