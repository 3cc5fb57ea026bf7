"""Invoices: listing, reading and changing their status (docs/contract.md#invoices)."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from prorata.actions.delivery import deliveries
from prorata.actions.invoices import invoices, lists, papers, previews
from prorata.actions.invoices.invoices import ShownInvoice
from prorata.actions.invoices.lists import Wish
from prorata.actions.invoices.papers import Paper
from prorata.actions.lists.walks import Listed
from prorata.actions.online_payments import payment_links
from prorata.domain.money import in_figures
from prorata.errors import NotFound
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.invoices.invoices import ChargeRow
from prorata.store.mail.messages import MailRow
from prorata.web.api.invoices.invoice_schemas import InvoiceMessage
from prorata.web.api.properties.tenants import shown as shown_tenant
from prorata.web.http.encoding import first_instant_of_day, first_instant_of_month, measure_as_number
from prorata.web.http.list_schemas import NEEDS, InvoicesQuery, filters_of
from prorata.web.http.operations import PDF, Call, operation
from prorata.web.http.request_schemas import Body, Filter, InvoiceChange, given
from prorata.web.http.response_schemas import (
    Charge,
    CustomCharge,
    Invoice,
    InvoiceInFull,
    InvoiceProperty,
    InvoiceUnit,
    Page,
    PaymentLink,
    part_of,
)
from prorata.web.http.scopes import may_open_tenant_pages


def shown(invoice: ShownInvoice) -> Invoice:
    """Convert an invoice to the API's format, with its charges if requested."""
    row = invoice.summary
    answer = Invoice(
        id=row.id,
        property_id=row.property_id,
        unit_id=row.unit_id,
        month=first_instant_of_month(row.month),
        status=row.status,  # type: ignore[arg-type]
        invoice_number=row.number,
        invoice_date=first_instant_of_day(row.invoice_date),
        due_date=row.due_date,
        total_amount=in_figures(row.total),
        paid_amount=in_figures(row.paid_amount),
        paid_at=row.paid_at,
        tenant_email=row.tenant_email,
        tenant_name=row.tenant_name,
        payment_status=row.payment_status,  # type: ignore[arg-type]
        gateway_payment_link_id=row.payment_link_id,
        gateway_payment_link_url=row.payment_link_url,
        email_sent_at=row.email_sent_at,
        email_status=row.email_status,  # type: ignore[arg-type]
        delivery=row.delivery,  # type: ignore[arg-type]
        generated_at=row.generated_at,
        updated_at=row.updated_at,
        pending_changes=bool(row.pending),
        missing_facts=row.missing_count > 0,
        unit=InvoiceUnit(
            id=row.unit_id, label=row.unit_label, sqft=measure_as_number(row.unit_sqft), bedrooms=row.unit_bedrooms
        ),
        property=InvoiceProperty(id=row.property_id, name=row.property_name, currency=row.currency),
        sequence=row.sequence,
        tenant_id=row.tenant_id,
        replaces_number=row.replaces_number,
    )
    if invoice.charges is not None:
        month = answer.month
        answer.charges = [_charge(row, month) for row in invoice.charges if row.utility_type is not None]
        answer.custom_charges = [_custom_charge(row, month) for row in invoice.charges if row.utility_type is None]
    return answer


def _charge(row: ChargeRow, month: str) -> Charge:
    return Charge(
        row.id,
        row.utility_type,  # type: ignore[arg-type]
        in_figures(row.amount),
        row.description,
        month,
        row.corrects_month,
        row.bill_id,
        row.line,
    )


def _custom_charge(row: ChargeRow, month: str) -> CustomCharge:
    return CustomCharge(
        row.id, row.description, in_figures(row.amount), month, row.corrects_month, row.bill_id, row.line
    )


def _found(tx: Tx, caller: Caller, query: InvoicesQuery) -> Listed[ShownInvoice]:
    filters, need = filters_of(query), given(query.needs)
    if need is None:
        return invoices.listed(tx, caller, filters, query.window, details=query.shows_charges)
    return lists.needing(tx, caller, Wish(filters, need=NEEDS[need]), query.window, details=query.shows_charges)


@operation("GET", "/invoices", at_once=True, summary="List invoices", query=InvoicesQuery, answer=Page[Invoice])
def list_invoices(call: Call[InvoicesQuery, None]) -> Page[Invoice]:
    """List a page of your invoices, newest month first, then by invoice number."""
    query = call.query
    its_page = _found(call.tx, call.caller, query)
    data = [shown(row) for row in its_page.rows]
    if query.shows_tenants:
        tenants = invoices.tenants_of(call.tx, call.caller, its_page.rows)
        for invoice in data:
            invoice.tenant = shown_tenant(tenants[invoice.tenant_id]) if invoice.tenant_id in tenants else None
    return part_of(data, its_page, query)


@operation("GET", "/invoices/{id}", at_once=True, summary="Read an invoice", answer=InvoiceInFull, missing=("invoice",))
def read_invoice(call: Call[None, None]) -> Invoice:
    """Read an invoice with its charges.

    `pendingChanges` is true if something has changed since the invoice's month was closed. `missingFacts` is true if a
    share rule of the month needs a measure, such as square feet, that nobody has entered for one of the units.
    """
    return shown(invoices.find(call.tx, call.caller, call.path["id"]))


class PrintedQuery(Body):
    """An earlier number of the invoice, to print the version sent under that number."""

    number: (
        Annotated[Filter, Meta(description="An earlier number of the invoice: prints it as it was then.")] | UnsetType
    ) = UNSET


@operation(
    "GET", "/invoices/{id}/pdf", at_once=True, summary="Print an invoice", query=PrintedQuery, missing=("invoice",),
    media=PDF,
)  # fmt: skip
def print_invoice(call: Call[PrintedQuery, None]) -> Paper:
    """Print the invoice as a PDF for the tenant.

    Each charge is listed with its bill and its calculation, followed by the balance and how to pay. The PDF is in
    the language and formats of your account's locale, and its paper size is that of the property's country. The
    same invoice always gives the same bytes. With `number`, you get the version that was sent under an earlier
    number (`replacesNumber`), marked as replaced. For online payment, the PDF links to the tenant's page or, if
    the key can't change invoices, directly to the payment link.
    """
    number, may_write = call.query.number, may_open_tenant_pages(call.grant)
    if number is UNSET:
        return papers.find(call.tx, call.caller, call.path["id"]).shown_to(may_write=may_write)
    return papers.under(call.tx, call.caller, call.path["id"], number).shown_to(may_write=may_write)


@operation(
    "GET", "/invoices/{id}/payment-link", summary="Read an invoice's payment link", answer=PaymentLink,
    missing=("invoice",),
)  # fmt: skip
def read_payment_link(call: Call[None, None]) -> PaymentLink:
    """Read the address for paying an invoice online, or the reason why there is none.

    For example, the payment provider may have refused to create a payment link.
    """
    online = payment_links.online(call.tx, call.caller, call.path["id"])
    return PaymentLink(url=online.url, why_none=online.why_not)


@operation("GET", "/invoices/{id}/messages", summary="List messages", answer=list[InvoiceMessage], missing=("invoice",))
def list_messages(call: Call[None, None]) -> list[InvoiceMessage]:
    """List the e-mails about an invoice, oldest first, with their status.

    These are the e-mails with the invoice itself, including repeated ones, and the reminders.
    """
    return [_message(row) for row in deliveries.messages(call.tx, call.caller, call.path["id"])]


@operation(
    "POST", "/invoices/{id}/send-again", summary="Send an invoice again", answer=InvoiceInFull, status=201,
    missing=("invoice",),
    conflict="The invoice isn't SENT, PAID or OVERDUE, is still waiting to be sent, or can't be sent to anyone.",
)  # fmt: skip
def send_invoice_again(call: Call[None, None]) -> Invoice:
    """E-mail an invoice again, to the tenant's current address.

    The invoice's status does not change.
    """
    deliveries.send_again(call.tx, call.caller, call.path["id"])
    return shown(invoices.find(call.tx, call.caller, call.path["id"]))


def _message(row: MailRow) -> InvoiceMessage:
    return InvoiceMessage(
        id=row.id,
        kind=row.kind,  # type: ignore[arg-type]
        state=row.state,  # type: ignore[arg-type]
        to=row.to_address,
        said=row.said,
        created_at=row.created_at,
        sent_at=row.sent_at,
    )


def _change_invoices(calls: Sequence[Call[None, InvoiceChange]]) -> list[Invoice | NotFound | None]:
    wanted = [(call.path["id"], "" if call.body.status is UNSET else call.body.status) for call in calls]
    answers = invoices.set_together(calls[0].tx, calls[0].caller, wanted)
    return [shown(answer) if isinstance(answer, ShownInvoice) else answer for answer in answers]


@operation(
    "PATCH", "/invoices/{id}", is_brief=True, summary="Set an invoice's status", body=InvoiceChange,
    moves=previews.of_invoice, answer=InvoiceInFull, missing=("invoice",), jointly=_change_invoices,
    example={"status": "SENT"},
)  # fmt: skip
def change_invoice(call: Call[None, InvoiceChange]) -> Invoice:
    """Set an invoice to any of the five statuses, whatever its current status is.

    If a month has no SENT, PAID or OVERDUE invoice left after the change, the month is recalculated.
    """
    status = call.body.status
    if status is UNSET:
        return shown(invoices.find(call.tx, call.caller, call.path["id"]))
    return shown(invoices.set_status(call.tx, call.caller, call.path["id"], status))
