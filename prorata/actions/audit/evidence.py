"""All that answers for what a tenant was charged: in some months, or by one charge. Only read; names no neighbour."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from prorata.actions.accounts import access, accounts as account_actions
from prorata.actions.audit import activity
from prorata.actions.audit.activity import ShownEvent
from prorata.actions.delivery import tenant_visible_bills
from prorata.actions.invoices import statements
from prorata.actions.limits import MOST_EVENTS_OF_EVIDENCE, MOST_INVOICES_OF_EVIDENCE
from prorata.actions.printing import printed_invoices
from prorata.actions.splitting import share_rules
from prorata.actions.splitting.share_rules import ShownRule
from prorata.domain.billing_calendar import FIRST_DATE, LAST_DATE, month_of
from prorata.domain.files.file_kinds import told
from prorata.domain.groups import grouped
from prorata.domain.invoice_states import DRAFT
from prorata.domain.invoices.statements import Statement
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.printing.printed_invoices import PrintedInvoice
from prorata.domain.splitting.planned_charges import charge_type
from prorata.domain.texts import Count, say
from prorata.errors import Conflict, NotFound
from prorata.store.accounts.accounts import AccountRow
from prorata.store.audit import evidence
from prorata.store.audit.audit import Caller
from prorata.store.bills import bills
from prorata.store.bills.bills import BillSummary
from prorata.store.database.engine import Tx
from prorata.store.delivery import disputes, tenant_pages
from prorata.store.delivery.disputes import KeptFile, ListedDispute
from prorata.store.delivery.tenant_pages import QuestionRow
from prorata.store.intake import documents
from prorata.store.invoices import earlier_invoices, invoices
from prorata.store.invoices.invoices import ChargeRow, InvoiceRow
from prorata.store.mail import messages as mail
from prorata.store.mail.messages import MailRow
from prorata.store.overview import activity as stored_activity
from prorata.store.payments import payments
from prorata.store.payments.payments import PaymentRow
from prorata.store.properties.properties import PropertyRow
from prorata.store.properties.units import UnitRow
from prorata.store.splitting import explanations
from prorata.store.splitting.explanations import InvoiceExplanationRow


class InvoiceEvidence(NamedTuple):
    """An invoice with its charges, in the order in which they are printed, and the ids of those that are `asked` about;
    what it was before it was corrected; and what came of it: payments, messages, what its tenant asked, and which of
    these, by id, are disputes; and how it was explained under each number that it had.
    """

    row: InvoiceRow
    printed: PrintedInvoice
    charges: Sequence[ChargeRow]
    asked: frozenset[str]
    before: tuple[PrintedInvoice, ...]
    payments: Sequence[PaymentRow]
    messages: Sequence[MailRow]
    questions: Sequence[QuestionRow]
    disputes: Mapping[str, ListedDispute]
    explanations: Sequence[InvoiceExplanationRow]


class BillEvidence(NamedTuple):
    """A bill that was charged from; its file where tenants may see it."""

    row: BillSummary
    document_id: str | None


class Evidence(NamedTuple):
    """All that answers for a tenant's charges. `statement` is of the days asked for; None where it is about one charge.
    `rules` are those of the utilities that were charged, `events` what was done to all of it, by whom and when.
    """

    account: AccountRow
    property: PropertyRow
    unit: UnitRow
    tenant_name: str
    days: tuple[str | None, str | None]
    statement: Statement | None
    invoices: tuple[InvoiceEvidence, ...]
    bills: tuple[BillEvidence, ...]
    rules: tuple[ShownRule, ...]
    events: Sequence[ShownEvent]
    dispute_files: Sequence[KeptFile]


def of_tenant(
    tx: Tx, caller: Caller, tenant_id: str, *, first: str | None = None, last: str | None = None, write: Forms = PLAIN
) -> Evidence:
    """What answers for a tenant's invoices of the billing months that hold any of some days.

    Raises `NotFound`, `InvalidRequest` where the last day is before the first, and `Conflict` where nothing was sent to
    them for those months, or too much for one pack.
    """
    made = statements.of_tenant(tx, caller, tenant_id, first=first, last=last)
    months = tuple(month_of(date.fromisoformat(day)) for day in (first or str(FIRST_DATE), last or str(LAST_DATE)))
    rows = evidence.invoices_of_tenant(
        tx, caller.account_id, made.unit.id, tenant_id, (months[0], months[1]), limit=MOST_INVOICES_OF_EVIDENCE + 1
    )
    if not rows:
        raise Conflict(say("No invoice of these days was sent to {name}.", name=made.tenant.name))
    if len(rows) > MOST_INVOICES_OF_EVIDENCE:
        most = Count(MOST_INVOICES_OF_EVIDENCE)
        raise Conflict(say("One pack holds at most {most} invoices. Choose fewer days.", most=most))
    found = _of_rows(tx, caller, rows, None, [tenant_id, made.unit.id], write)
    return found._replace(tenant_name=made.tenant.name, days=(first, last), statement=made.found)


def of_charge(tx: Tx, caller: Caller, invoice_id: str, charge_id: str, write: Forms = PLAIN) -> Evidence:
    """What answers for one charge. Raises `NotFound`, and `Conflict` on a draft, which may still change."""
    row = access.invoice(tx, caller, invoice_id)
    if row.status == DRAFT:
        raise Conflict(say("This invoice is a draft, which may still change. Send it first."))
    return _of_rows(tx, caller, [row], charge_id, [], write)


def files_of(tx: Tx, caller: Caller, found: Evidence) -> Iterator[tuple[str, str, bytes]]:
    """The files of bills, one after the other: the bill's id, the kind, such as "pdf", and the bytes of each."""
    for one in found.bills:
        content = documents.content(tx, caller.account_id, one.document_id) if one.document_id else None
        if content is not None:
            yield one.row.id, told("", content).kind or "bin", content


def dispute_files(tx: Tx, caller: Caller, found: Evidence) -> Iterator[tuple[KeptFile, bytes]]:
    """The files that came with disputes, one after the other, and the bytes of each."""
    for one in found.dispute_files:
        file = disputes.file(tx, caller.account_id, one.question_id, one.number)
        if file is not None:
            yield one, file.content


def _of_rows(
    tx: Tx, caller: Caller, rows: Sequence[InvoiceRow], charge_id: str | None, records: Sequence[str], write: Forms
) -> Evidence:
    """The same by the invoices, all of one unit; `records` are others whose changes are told."""
    account, ids = account_actions.the_account(tx, caller), [row.id for row in rows]
    of_property = access.property_(tx, caller, rows[0].property_id)
    charges = grouped((one.invoice_id, one) for one in invoices.charges(tx, account.id, ids))
    asked = [one for its in charges.values() for one in its if charge_id in (None, one.id)]
    if not asked:
        raise NotFound("charge")
    found_bills = _bills(tx, account, sorted({one.bill_id for one in asked if one.bill_id}))
    kinds = {charge_type(kind) or "OTHER" for bill in found_bills for kind in bill.row.utility_types.split(";")}
    if charge_id:
        kinds = {asked[0].utility_type or "OTHER"}
    rules = share_rules.of_property(tx, caller, of_property.id)
    rules = [one for one in rules if (charge_type(one.row.utility_type) or "OTHER") in kinds]
    changed = [*ids, *records, *(one.row.id for one in found_bills), *(one.row.id for one in rules)]
    events = stored_activity.of_records(tx, account.id, changed, limit=MOST_EVENTS_OF_EVIDENCE)
    found = tuple(_invoices(tx, caller, rows, charges, frozenset(one.id for one in asked)))
    return Evidence(
        account,
        of_property,
        access.unit(tx, caller, rows[0].unit_id),
        rows[0].tenant_name or "",
        (None, None),
        None,
        found,
        tuple(found_bills),
        tuple(rules),
        activity.shown(tx, caller, events, write),
        disputes.files_of(tx, account.id, [question_id for one in found for question_id in one.disputes]),
    )


def _invoices(
    tx: Tx, caller: Caller, rows: Sequence[InvoiceRow], charges: Mapping[str, list[ChargeRow]], asked: frozenset[str]
) -> Iterator[InvoiceEvidence]:
    ids = [row.id for row in rows]
    paid = grouped((one.invoice_id, one) for one in payments.of_invoices(tx, caller.account_id, ids))
    sent = grouped((one.invoice_id, one) for one in mail.of_invoices(tx, caller.account_id, ids))
    said = grouped((one.invoice_id, one) for one in tenant_pages.questions_of(tx, caller.account_id, ids))
    its_disputes = grouped((one.invoice_id, one) for one in disputes.of_invoices(tx, caller.account_id, ids))
    explained = grouped((one.invoice_id, one) for one in explanations.of_invoices(tx, caller.account_id, ids))
    numbers = grouped((one.invoice_id, one.number) for one in earlier_invoices.numbers_of(tx, caller.account_id, ids))
    for row, printed in zip(rows, printed_invoices.of_rows(tx, caller, rows), strict=True):
        yield InvoiceEvidence(
            row,
            printed,
            charges[row.id],
            asked,
            tuple(printed_invoices.under(tx, caller, row.id, number) for number in numbers.get(row.id, ())),
            paid.get(row.id, ()),
            sent.get(row.id, ()),
            [one for one in said.get(row.id, ()) if one.tenant_id == row.tenant_id],
            {one.question_id: one for one in its_disputes[row.id] if one.tenant_id == row.tenant_id},
            explained[row.id],
        )


def _bills(tx: Tx, account: AccountRow, bill_ids: list[str]) -> list[BillEvidence]:
    sources = tenant_pages.sources(tx, account.id, bill_ids) if bill_ids else []
    shown = tenant_visible_bills.documents_of(tx, account, sources)
    return [BillEvidence(row, shown.get(row.id)) for row in bills.summaries(tx, account.id, bill_ids)]
