"""The requests and answers of previews (docs/decisions.md#previews).

Ids and numbers of records that don't exist yet are null.
"""

from typing import Annotated, Any, Literal

from msgspec import Meta

from prorata.domain.invoice_states import Status
from prorata.web.http.fields import text
from prorata.web.http.limits import LONGEST_PREVIEWED_PATH, MOST_PREVIEWED
from prorata.web.http.request_schemas import Body
from prorata.web.http.response_schemas import Answer, Figures, Timestamp

ChargedType = Literal["ELECTRICITY", "GAS", "WATER", "SEWER", "TRASH", "INTERNET"]


class PreviewedRequest(Body):
    """A change to preview: the method, path and body of its request."""

    method: Literal["POST", "PUT", "PATCH", "DELETE"]
    path: Annotated[str, text(LONGEST_PREVIEWED_PATH), Meta(description="With or without the prefix /api/v1.")]
    body: dict[str, Any] | None = None


class PreviewRequests(Body):
    """Changes to make one after another, and then undo."""

    requests: Annotated[list[PreviewedRequest], Meta(min_length=1, max_length=MOST_PREVIEWED)]


class Moved(Answer):
    """An amount before and after the changes."""

    before: Figures
    after: Figures
    difference: Figures


class ChargeState(Answer):
    """A charge before or after the changes."""

    amount: Figures
    description: str


class PreviewedCharge(Answer):
    """A charge before and after the changes; null means that it doesn't exist then."""

    utility_bill_id: str | None
    line: int | None
    utility_type: ChargedType | None
    corrects_month: str | None
    before: ChargeState | None
    after: ChargeState | None
    difference: Figures


class InvoiceState(Answer):
    """An invoice before or after the changes."""

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
    """An invoice that changes, with all charges; null means that it doesn't exist then."""

    id: str | None
    unit_id: str | None
    unit_label: str
    sequence: int
    before: InvoiceState | None
    after: InvoiceState | None
    difference: Figures
    charges: list[PreviewedCharge]


class PreviewedMonth(Answer):
    """A month that changes; `total` is the sum of its invoices that change."""

    property_id: str
    month: str
    closed_before: bool
    closed_after: bool
    total: Moved
    owner: Moved
    invoices: list[PreviewedInvoice]


class PreviewedUnit(Answer):
    """A unit's invoice total and pending corrections, over all months that change."""

    property_id: str
    unit_id: str | None
    unit_label: str
    total: Moved
    pending: Moved


class PreviewedHousehold(PreviewedUnit):
    """A household's invoice total and pending corrections; the household has at most one tenant."""

    tenant_id: str | None
    tenant_name: str | None


class PreviewedOwner(Answer):
    """The owner's part of months that change; `pending` sums late bills' corrections without a unit."""

    property_id: str
    total: Moved
    pending: Moved


class CorrectionState(Answer):
    """A correction before or after the changes."""

    right: Figures
    issued: Figures
    difference: Figures
    pending: Figures
    placed: Figures
    left_to_owner: Figures
    carrier_month: str | None


class PreviewedCorrection(Answer):
    """A correction before and after the changes; null means that it doesn't exist then."""

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
    """The effects of changes. Ids and numbers of records that don't exist yet are null."""

    months: list[PreviewedMonth]
    units: list[PreviewedUnit]
    households: list[PreviewedHousehold]
    owners: list[PreviewedOwner]
    corrections: list[PreviewedCorrection]
