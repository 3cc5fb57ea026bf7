"""The API's request bodies and query parameters, field by field.

See docs/contract.md and docs/decisions.md#field-limits.
"""

import re
from typing import Annotated, Any, Literal, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType

from prorata.domain.accounts.settings import BillingMonthRule
from prorata.domain.audit.record_kinds import KindName
from prorata.domain.countries import COUNTRIES
from prorata.domain.invoice_states import Status
from prorata.domain.invoices.ledger import PAYMENT, Method as PaymentMethod
from prorata.domain.limits import (
    LONGEST_FORWARDING_ADDRESS,
    LONGEST_METHOD_NAME,
    LONGEST_PAYMENT_NOTE,
    LONGEST_PAYMENT_REFERENCE,
    LONGEST_WEBHOOK_DESCRIPTION,
    LONGEST_WEBHOOK_URL,
    MOST_TENANT_OCCUPANTS,
)
from prorata.domain.money import CENTS
from prorata.domain.splitting.split_methods import Blendable, Method
from prorata.domain.utility_names import UTILITY_TYPES
from prorata.domain.webhooks.events import EVENT_TYPES, EVENTS_KEPT_DAYS, EventType
from prorata.web.http.cursors import cursor
from prorata.web.http.fields import (
    A_CURRENCY,
    CountryCode,
    DateText,
    Email,
    Money,
    MonthText,
    Number,
    Percent,
    Quantity,
    line,
    number,
    text,
)

T = TypeVar("T")
MonthRule = Annotated[BillingMonthRule, Meta(description="The rule for a bill's billing month; null: the account's.")]
_CURRENCIES = sorted({country.currency for country in COUNTRIES.values() if country.minor_digits == CENTS})


class Body(Struct, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """The base class of request bodies and queries."""


def sent_fields(body: Struct) -> dict[str, Any]:
    """Map the columns of the sent fields to their values."""
    return {name: value for name in body.__struct_fields__ if (value := getattr(body, name)) is not UNSET}


def given(value: T | UnsetType) -> T | None:
    """Return a field's or parameter's value, or None if the client left it out."""
    return None if value is UNSET else value


def _read_utility_type(value: str) -> str:
    return "GARBAGE" if value == "TRASH" else value


def _read_currency(value: str) -> str:
    if value not in _CURRENCIES:
        raise ValueError
    return value


CurrencyCode = Annotated[
    str,
    Meta(
        description="An ISO 4217 code of a currency with two decimals.",
        extra_json_schema={"enum": _CURRENCIES},
        extra={"must": A_CURRENCY, "read": _read_currency},
    ),
]
UtilityTypeSent = Annotated[
    Literal["ELECTRICITY", "WATER", "GAS", "INTERNET", "SEWER", "GARBAGE", "OTHER", "TRASH"],
    Meta(
        description="A utility type; TRASH is accepted as GARBAGE.",
        extra={"must": f"must be one of {', '.join(UTILITY_TYPES)}", "read": _read_utility_type},
    ),
]
Label = Annotated[str, line(50)]
Name = Annotated[str, line(255)]
Bedrooms = Annotated[int, Meta(ge=0, le=1000)]
Weights = Annotated[
    str,
    text(200_000, least=0),
    Meta(
        description="A JSON object, as a string, that maps unit labels to weights: numbers of 0 or more. Required "
        "for PERCENTAGE (which must add up to at most 100) and CUSTOM (which must add up to more than "
        "0); stored, but not used, by other methods.",
    ),
]
OwnSplitMethod = Annotated[
    str,
    text(64),
    Meta(description="The id of one of your own split methods (blends); splitMethod is then CUSTOM."),
]
LastDay = Annotated[DateText, Meta(description="The last day, as YYYY-MM-DD; must not be before the first.")]
Filter = Annotated[str, text(255, least=0)]
Occupants = Annotated[Number, number(0, 1000)]
People = Annotated[
    int, Meta(ge=0, le=MOST_TENANT_OCCUPANTS, description="How many people live there under this tenant's name.")
]
PostalAddress = Annotated[
    str, text(LONGEST_FORWARDING_ADDRESS), Meta(description="The lines of a postal address for letters.")
]


class PageQuery(Body):
    """Query parameters that choose the page of a list to read."""

    page: Annotated[int, Meta(ge=1, le=1_000_000, description="The page number, from 1.")] = 1
    limit: Annotated[int, Meta(ge=1, le=100, description="The number of records per page.")] = 20

    @property
    def offset(self) -> int:
        """The number of records in the list before the page."""
        return (self.page - 1) * self.limit


class PropertyChange(Body):
    """The fields of a property to change."""

    name: Name | UnsetType = UNSET
    street_number: Annotated[str, line(50)] | UnsetType = UNSET
    street: Name | UnsetType = UNSET
    city: Annotated[str, line(100)] | UnsetType = UNSET
    state: Annotated[str, line(50)] | UnsetType = UNSET
    zip: Annotated[str, line(20)] | UnsetType = UNSET
    country: CountryCode | UnsetType = UNSET
    billing_starts_month: MonthText | UnsetType | None = UNSET
    currency: CurrencyCode | UnsetType = UNSET
    billing_month_rule: MonthRule | UnsetType | None = UNSET


class PropertyCreate(PropertyChange, kw_only=True):
    """A property to create."""

    name: Name
    street_number: Annotated[str, line(50)]
    street: Name
    city: Annotated[str, line(100)]
    state: Annotated[str, line(50)]
    zip: Annotated[str, line(20)]
    country: CountryCode


class UnitChange(Body):
    """The unit fields to change; null clears a field, and as activeTo reactivates."""

    label: Label | UnsetType = UNSET
    sqft: Quantity | UnsetType | None = UNSET
    bedrooms: Bedrooms | UnsetType | None = UNSET
    monthly_rent: Money | UnsetType | None = UNSET
    active_from: DateText | UnsetType | None = UNSET
    active_to: LastDay | UnsetType | None = UNSET


class UnitCreate(UnitChange, kw_only=True):
    """A unit to add to a property."""

    label: Label


def unit_columns(body: Struct) -> dict[str, Any]:
    """Map the columns of the sent unit fields to their values, with rent in cents."""
    values = sent_fields(body)
    if values.get("monthly_rent") is not None:
        values["monthly_rent"] = int(values["monthly_rent"] * 10**CENTS)
    return values


class TenantChange(Body):
    """The fields of a tenant to change; null clears a field."""

    name: Name | UnsetType = UNSET
    email: Email | UnsetType | None = UNSET
    move_in_date: DateText | UnsetType | None = UNSET
    move_out_date: LastDay | UnsetType | None = UNSET
    occupants: People | UnsetType = UNSET
    forwarding_email: Email | UnsetType | None = UNSET
    forwarding_address: PostalAddress | UnsetType | None = UNSET


class TenantCreate(TenantChange, kw_only=True):
    """A tenant to add to a unit."""

    name: Name


_OF_TENANTS = {"move_in_date": "move_in", "move_out_date": "move_out"}


def tenant_columns(body: Struct) -> dict[str, Any]:
    """Map the columns of the sent tenant fields to their values."""
    return {_OF_TENANTS.get(name, name): value for name, value in sent_fields(body).items()}


_SINCE = "The first billing month in which this applies; if omitted, the newest version is replaced."


class MonthQuery(Body):
    """The month for which to read share rules; without it, their newest versions are read."""

    month: MonthText | UnsetType = UNSET


class RuleChange(Body):
    """The fields of a share rule to change."""

    split_method: Method | UnsetType = UNSET
    is_active: bool | UnsetType = UNSET
    custom_weights_json: Weights | UnsetType | None = UNSET
    split_method_id: OwnSplitMethod | UnsetType | None = UNSET
    owner_percent: Percent | UnsetType = UNSET
    vacant_occupants: Occupants | UnsetType = UNSET
    effective_from: Annotated[MonthText, Meta(description=_SINCE)] | UnsetType = UNSET


class RuleReplace(RuleChange, kw_only=True):
    """The method, state and weights of a share rule, which are replaced together."""

    split_method: Method
    is_active: bool = True


class RuleCreate(RuleReplace, kw_only=True):
    """A share rule for a utility type, replacing an earlier one."""

    utility_type: UtilityTypeSent


class ComponentSent(Body):
    """One split method of a blend, with its percentage."""

    split_method: Blendable
    percent: Percent


class SplitMethodSent(Body):
    """A blend of built-in methods, with percentages that sum to 100."""

    name: Annotated[str, line(LONGEST_METHOD_NAME)]
    components: Annotated[
        list[ComponentSent],
        Meta(min_length=1, max_length=4, description="Percentages must add up to 100; each method appears once."),
    ]


def _read_figures(value: str) -> str:
    """Check that an amount is positive and well formed; otherwise raise `ValueError`."""
    if not _FIGURES.fullmatch(value):
        raise ValueError
    return value


def cents_of(figures: str) -> int:
    """Convert an amount, written as in the API's responses, to cents.

    In responses, an amount has no trailing zeros.

    >>> cents_of("12.3"), cents_of("7")
    (1230, 700)
    """
    whole, _, decimals = figures.partition(".")
    return int(whole + decimals.ljust(CENTS, "0"))


_FIGURES = re.compile(r"(?!0+(?:\.0+)?$)[0-9]{1,10}(?:\.[0-9]{1,2})?")
FiguresSent = Annotated[
    str,
    Meta(
        description="An amount of money above zero, written with at most two decimals, such as 12.30.",
        extra_json_schema={"pattern": f"^{_FIGURES.pattern}$"},
        extra={"must": 'must be an amount above zero, written as text such as "12.30"', "read": _read_figures},
    ),
]


Receipts = Annotated[bool, Meta(description="Whether to e-mail a receipt to each tenant who receives e-mail.")]


class PaymentCreate(Body):
    """A payment for an invoice, or a refund; without a date, it is dated today."""

    amount: FiguresSent
    method: PaymentMethod
    kind: Literal["PAYMENT", "REFUND"] = PAYMENT
    date: Annotated[DateText, Meta(description="The day the money moved: today or earlier.")] | UnsetType = UNSET
    reference: Annotated[str, text(LONGEST_PAYMENT_REFERENCE, least=0)] | UnsetType | None = UNSET
    note: Annotated[str, text(LONGEST_PAYMENT_NOTE, least=0)] | UnsetType | None = UNSET
    in_place_of_noted: Annotated[
        bool,
        Meta(description="Whether it is the money noted when the invoice was set to PAID; it then counts only once."),
    ] = False
    receipt: Annotated[
        bool, Meta(description="Whether to e-mail the tenant a receipt for a payment, if the tenant receives e-mail.")
    ] = False


class AuditLogQuery(Body):
    """Query parameters for the audit log: filters, and the page to read."""

    before: Annotated[str, cursor("evt")] | UnsetType = UNSET
    limit: Annotated[int, Meta(ge=1, le=100, description="The number of entries per response.")] = 20
    record_id: Annotated[Filter, Meta(description="Only actions on this record.")] | UnsetType = UNSET
    property_id: Annotated[Filter, Meta(description="Only actions on records of this property.")] | UnsetType = UNSET
    actor: Annotated[Filter, Meta(description="Only actions by this member, key or job.")] | UnsetType = UNSET
    type: Annotated[KindName, Meta(description="Only actions on records of this kind.")] | UnsetType = UNSET


class InvoiceChange(Body):
    """The new status of an invoice."""

    status: Status | UnsetType = UNSET


WebhookUrl = Annotated[
    str,
    text(LONGEST_WEBHOOK_URL),
    Meta(
        extra_json_schema={"pattern": "^https?://[!-~]+$"},
        description="The address to which messages are sent: https, at a public address. Redirects are not followed. "
        "In networks that the operator lists in PRORATA_WEBHOOK_PRIVATE, private addresses and http are also accepted.",
    ),
]
WebhookTypes = Annotated[
    list[EventType],
    Meta(
        min_length=1,
        max_length=len(EVENT_TYPES),
        description="The types of events to receive. Null means all of them, as does omitting `types` for a new "
        "endpoint; an empty list is refused.",
        extra={
            "must": "must name at least one type of event; all of them are meant where it is left out of a new endpoint"
        },
    ),
]
WebhookDescription = Annotated[
    str, text(LONGEST_WEBHOOK_DESCRIPTION, least=0), Meta(description="The purpose of the endpoint.")
]


class WebhookEndpointCreate(Body):
    """An endpoint that receives events from now on."""

    url: WebhookUrl
    types: WebhookTypes | UnsetType | None = UNSET
    description: WebhookDescription | UnsetType = UNSET


class WebhookEndpointChange(Body):
    """The fields of an endpoint to change."""

    url: WebhookUrl | UnsetType = UNSET
    types: WebhookTypes | UnsetType | None = UNSET
    description: WebhookDescription | UnsetType = UNSET
    state: (
        Annotated[
            Literal["on", "paused"],
            Meta(description="Events that happen while the endpoint is paused are sent once it is turned on."),
        ]
        | UnsetType
    ) = UNSET


_Sequence = Annotated[int, Meta(ge=0, le=2**53)]
_Some = Annotated[int, Meta(ge=1, le=100, description="The maximum number to return.")]


class EventsQuery(Body):
    """Query parameters for the list of events: a filter, and the cursor."""

    after: (
        Annotated[
            _Sequence,
            Meta(
                description="The `sequence` of the last event you have; the answer begins behind it, and without it "
                f"with the oldest that is kept. Events are kept for {EVENTS_KEPT_DAYS} days."
            ),
        ]
        | UnsetType
    ) = UNSET
    limit: _Some = 100
    type: Annotated[EventType, Meta(description="Only events of this type.")] | UnsetType = UNSET


class DeliveriesQuery(Body):
    """Query parameters for the part of a list of deliveries to read."""

    before: Annotated[_Sequence, Meta(description="Only earlier deliveries, by `sequence`.")] | UnsetType = UNSET
    limit: _Some = 20
