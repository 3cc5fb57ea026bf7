"""What a preview takes and tells (docs/decisions.md#previews). Ids and numbers that would be new are null in it."""

from typing import Annotated, Any, Literal

from msgspec import Meta

from prorata.domain.invoice_states import Status
from prorata.web.http.fields import text
from prorata.web.http.limits import LONGEST_PREVIEWED_PATH, MOST_PREVIEWED
from prorata.web.http.request_schemas import Body
from prorata.web.http.response_schemas import Answer, Figures, Timestamp

ChargedType = Literal["ELECTRICITY", "GAS", "WATER", "SEWER", "TRASH", "INTERNET"]


class PreviewedRequest(Body):
    """A change, as it would be sent."""

    method: Literal["POST", "PUT", "PATCH", "DELETE"]
    path: Annotated[str, text(LONGEST_PREVIEWED_PATH), Meta(description="With or without /api/v1 before it.")]
    body: dict[str, Any] | None = None


class PreviewRequests(Body):
    """Changes that are made one after the other, and undone."""

    requests: Annotated[list[PreviewedRequest], Meta(min_length=1, max_length=MOST_PREVIEWED)]


class Moved(Answer):
    """An amount before and after."""

    before: Figures
    after: Figures
    difference: Figures


class ChargeState(Answer):
    """A charge before or after."""

    amount: Figures
    description: str


class PreviewedCharge(Answer):
    """A charge of an invoice that changes; null where there was none, or would be none any more."""

    utility_bill_id: str | None
    line: int | None
    utility_type: ChargedType | None
    corrects_month: str | None
    before: ChargeState | None
    after: ChargeState | None
    difference: Figures


class InvoiceState(Answer):
    """An invoice before or after."""

    status: Status
    invoice_number: str | None
    replaces_number: str | None
    invoice_date: Timestamp
    due_date: Timestamp | None
    total_amount: Figures
    paid_amount: Figures
    payment_status: str
    tenant_id: str | None
    tenant_name: str | None


class PreviewedInvoice(Answer):
    """An invoice that changes, with all its charges; null where there was none, or would be none any more."""

    id: str | None
    unit_id: str | None
    unit_label: str
    sequence: int
    before: InvoiceState | None
    after: InvoiceState | None
    difference: Figures
    charges: list[PreviewedCharge]


class PreviewedMonth(Answer):
    """A month that changes. `total` sums its invoices that change; `owner` is what the owner bears of its bills."""

    property_id: str
    month: str
    closed_before: bool
    closed_after: bool
    total: Moved
    owner: Moved
    invoices: list[PreviewedInvoice]


class PreviewedUnit(Answer):
    """What all invoices of the months that change ask of a unit in sum, and what waits of its corrections of them."""

    property_id: str
    unit_id: str | None
    unit_label: str
    total: Moved
    pending: Moved


class PreviewedHousehold(PreviewedUnit):
    """The same of those that are addressed to one tenant of the unit, or to nobody."""

    tenant_id: str | None
    tenant_name: str | None


class PreviewedOwner(Answer):
    """What the owner of a property bears of bills of months that change; `pending` waits, of late ones, of no unit."""

    property_id: str
    total: Moved
    pending: Moved


class CorrectionState(Answer):
    """A correction before or after."""

    right: Figures
    issued: Figures
    difference: Figures
    pending: Figures
    placed: Figures
    left_to_owner: Figures
    carrier_month: str | None


class PreviewedCorrection(Answer):
    """A correction that changes; null where there was none, or would be none any more."""

    property_id: str
    month: str
    unit_id: str | None
    unit_label: str | None
    tenant_id: str | None
    tenant_name: str | None
    utility_bill_id: str | None
    line: int
    utility_type: ChargedType | None
    before: CorrectionState | None
    after: CorrectionState | None


class PreviewAnswer(Answer):
    """What changes would do. Ids and numbers that would be new are null."""

    months: list[PreviewedMonth]
    units: list[PreviewedUnit]
    households: list[PreviewedHousehold]
    owners: list[PreviewedOwner]
    corrections: list[PreviewedCorrection]
