"""The requests and answers of previews (docs/decisions.md#previews).

Records that the previewed changes would create have no ids or numbers yet; these are null.
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
    """An amount before the previewed changes and after them."""

    before: Figures
    after: Figures
    difference: Figures


class ChargeState(Answer):
    """A charge as it is before the previewed changes, or after them."""

    amount: Figures
    description: str


class PreviewedCharge(Answer):
    """A charge before and after the previewed changes; null if it doesn't exist then."""

    utility_bill_id: str | None
    line: int | None
    utility_type: ChargedType | None
    corrects_month: str | None
    before: ChargeState | None
    after: ChargeState | None
    difference: Figures


class InvoiceState(Answer):
    """An invoice as it is before the previewed changes, or after them."""

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
    """An invoice that would change, with all charges.

    `before` or `after` is null if the invoice doesn't exist then.
    """

    id: str | None
    unit_id: str | None
    unit_label: str
    sequence: int
    before: InvoiceState | None
    after: InvoiceState | None
    difference: Figures
    charges: list[PreviewedCharge]


class PreviewedMonth(Answer):
    """A month that would change; `total` is the sum of its changed invoices."""

    property_id: str
    month: str
    closed_before: bool
    closed_after: bool
    total: Moved
    owner: Moved
    invoices: list[PreviewedInvoice]


class PreviewedUnit(Answer):
    """A unit's invoiced total and pending corrections in all months that would change."""

    property_id: str
    unit_id: str | None
    unit_label: str
    total: Moved
    pending: Moved


class PreviewedHousehold(PreviewedUnit):
    """The invoiced total and pending corrections of one tenant in a unit.

    `tenantId` is null for the amounts of a unit without a tenant.
    """

    tenant_id: str | None
    tenant_name: str | None


class PreviewedOwner(Answer):
    """The owner's part of the months that would change, for one property.

    `pending` is the sum of those corrections of late bills that concern no unit.
    """

    property_id: str
    total: Moved
    pending: Moved


class CorrectionState(Answer):
    """A correction as it is before the previewed changes, or after them."""

    right: Figures
    issued: Figures
    difference: Figures
    pending: Figures
    placed: Figures
    left_to_owner: Figures
    carrier_month: str | None


class PreviewedCorrection(Answer):
    """A correction before and after the previewed changes; null if it doesn't exist then."""

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
    """The effects of the previewed changes; ids and numbers of new records are null."""

    months: list[PreviewedMonth]
    units: list[PreviewedUnit]
    households: list[PreviewedHousehold]
    owners: list[PreviewedOwner]
    corrections: list[PreviewedCorrection]
