"""The contents of an evidence pack, without neighbors' names.

An evidence pack is for the charges of a tenant's months, or for one charge. Nothing in this module writes to the
database.
"""

import json
from collections.abc import Container, Iterator, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from prorata.actions.accounts import access, accounts as account_actions
from prorata.actions.audit import activity
from prorata.actions.audit.activity import ShownEvent
from prorata.actions.delivery import disputes as dispute_actions, tenant_visible_bills
from prorata.actions.delivery.rule_announcements import KeptAnnouncement
from prorata.actions.invoices import statements
from prorata.actions.limits import MOST_EVENTS_OF_EVIDENCE, MOST_INVOICES_OF_EVIDENCE
from prorata.actions.printing import printed_invoices
from prorata.actions.printing.printed_invoices import as_they_were
from prorata.actions.splitting import share_rules
from prorata.actions.splitting.share_rules import UtilityRule
from prorata.domain.audit.verbs import Verb
from prorata.domain.billing_calendar import FIRST_DATE, LAST_DATE, month_of
from prorata.domain.delivery.announcement_mail import ANNOUNCEMENT, from_json
from prorata.domain.delivery.question_mail import OUTCOME, REPLY
from prorata.domain.files.file_kinds import told
from prorata.domain.groups import grouped
from prorata.domain.invoice_states import CANCELLED, DRAFT
from prorata.domain.invoices.statements import Statement
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.printing.printed_invoices import PrintedInvoice
from prorata.domain.splitting.planned_charges import charge_type
from prorata.domain.texts import Count, say
from prorata.errors import Conflict
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
from prorata.store.invoices import disputed_amounts, earlier_invoices, invoices
from prorata.store.invoices.earlier_invoices import EarlierRow
from prorata.store.invoices.invoices import ChargeRow, InvoiceRow
from prorata.store.mail import messages as mail
from prorata.store.mail.messages import MailRow
from prorata.store.overview import activity as stored_activity
from prorata.store.overview.activity import EventRow
from prorata.store.payments import payments
from prorata.store.payments.payments import PaymentRow
from prorata.store.properties.properties import PropertyRow
from prorata.store.properties.units import UnitRow
from prorata.store.recalculation import corrections
from prorata.store.recalculation.corrections import CorrectionRow
from prorata.store.splitting import explanations
from prorata.store.splitting.explanations import InvoiceExplanationRow

_DECISIONS = (Verb.PLACE_CORRECTIONS, Verb.LEAVE_CORRECTIONS, Verb.REVOKE_CORRECTIONS)


class _Others(NamedTuple):
    """Facts about people who were an invoice's tenant before the present one.

    `until` is the time until which the invoice was theirs. `called` contains their names and e-mail addresses,
    which must not appear in the present tenant's evidence pack.
    """

    until: str
    called: frozenset[str | None]

    @classmethod
    def of(cls, row: InvoiceRow, earlier: Sequence[EarlierRow], sent: Sequence[MailRow]) -> "_Others":
        """Collect an invoice's former tenants from its earlier versions and sent messages."""
        theirs = [one for one in earlier if one.tenant_id != row.tenant_id]
        former = [one for one in sent if one.is_former]
        called = {one.tenant_name for one in theirs} | {
            name for one in former for name in (one.to_name, one.to_address)
        }
        return cls(max((one.kept_at for one in theirs), default=""), frozenset(called - {row.tenant_name, None}))


class InvoiceEvidence(NamedTuple):
    """An invoice with its charges in print order, and everything that happened to it.

    `asked` contains the ids of the charges that the evidence pack is for. `before` are the invoice's earlier
    versions. `disputes` are keyed by the id of the tenant's question, and `in_question` is the disputed amount in
    cents. `replies` contains, by question, the messages with replies or the end of a dispute. There is one
    explanation for each number that the invoice has had. `others` are people who were the invoice's tenant before.
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
    in_question: int
    replies: Mapping[str, Sequence[MailRow]]
    explanations: Sequence[InvoiceExplanationRow]
    others: "_Others"

    @property
    def to_pay(self) -> int:
        """The open amount that is not in dispute, in cents; 0 for a cancelled invoice."""
        return max(0, self.printed.asked) if self.row.status != CANCELLED else 0


class BillEvidence(NamedTuple):
    """A bill charged to the tenant, with its file's id if tenants may see it."""

    row: BillSummary
    document_id: str | None


class Evidence(NamedTuple):
    """The contents of an evidence pack for a tenant's charges.

    `statement` contains the tenant's invoices and payments from `since`, the day of the first of the pack's
    invoices, or all of them if `since` is None. For a single charge there is no statement. `rules` are the share
    rules of the charged utility types, and `announcements` the rule announcements to the tenant. `events` lists
    the actions on all these records, with actors and times; if `is_cut`, the latest ones are missing. `undone` are
    corrections of these charges that are not settled: an amount is undecided, left to the owner, or on no sent
    invoice yet.
    """

    account: AccountRow
    property: PropertyRow
    unit: UnitRow
    tenant_name: str
    since: str | None
    statement: Statement | None
    invoices: tuple[InvoiceEvidence, ...]
    bills: tuple[BillEvidence, ...]
    rules: tuple[UtilityRule, ...]
    announcements: Sequence[KeptAnnouncement]
    events: Sequence[ShownEvent]
    dispute_files: Sequence[KeptFile]
    is_cut: bool
    undone: Sequence[CorrectionRow]


def of_tenant(
    tx: Tx, caller: Caller, tenant_id: str, *, first: str | None = None, last: str | None = None, write: Forms = PLAIN
) -> Evidence:
    """Collect the evidence for a tenant's billing months that include some of these days.

    Raises `NotFound` if there is no such tenant, and `InvalidRequest` if the last day is before the first. Raises
    `Conflict` if no invoice was sent to the tenant for those months, or if the evidence is too much for one pack.
    """
    tenant = access.tenant(tx, caller, tenant_id)
    statements.check_days(first, last)
    months = tuple(month_of(date.fromisoformat(day)) for day in (first or str(FIRST_DATE), last or str(LAST_DATE)))
    rows = evidence.invoices_of_tenant(
        tx, caller.account_id, tenant.unit_id, tenant_id, (months[0], months[1]), limit=MOST_INVOICES_OF_EVIDENCE + 1
    )
    if not rows:
        raise Conflict(say("No invoices for these dates were sent to {name}.", name=tenant.name))
    if len(rows) > MOST_INVOICES_OF_EVIDENCE:
        most = Count(MOST_INVOICES_OF_EVIDENCE)
        raise Conflict(say("A pack can contain at most {most} invoices. Choose a shorter period.", most=most))
    found = _of_rows(tx, caller, rows, None, [tenant_id, tenant.unit_id], write)
    since = min(row.invoice_date for row in rows) if first else None
    statement = statements.of_tenant(tx, caller, tenant_id, first=since).found
    return found._replace(tenant_name=tenant.name, since=since, statement=statement)


def of_charge(tx: Tx, caller: Caller, invoice_id: str, charge_id: str, write: Forms = PLAIN) -> Evidence:
    """Collect the evidence for one charge and its corrections on the tenant's later invoices.

    Raises `NotFound` if there is no such charge, and `Conflict` if the invoice is a draft, which may still change.
    """
    row = access.invoice(tx, caller, invoice_id)
    if row.status == DRAFT:
        raise Conflict(say("This invoice is still a draft and may change. Send it first."))
    charge = access.there(dispute_actions.charge_of(tx, row, charge_id), "charge")
    rows, found = [row], list[ChargeRow]()
    if charge.bill_id is not None and charge.line is not None:
        line = (charge.bill_id, charge.line, charge.corrects_month or row.month)
        later = evidence.invoices_correcting(
            tx, caller.account_id, row.unit_id, row.tenant_id or "", line, since=row.month
        )
        rows += (one for one in later if one.id != row.id)
        of_rows = invoices.charges(tx, caller.account_id, [one.id for one in rows])
        found += (one for one in of_rows if (one.bill_id, one.line, one.corrects_month) == line)
    records = [one for one in (row.unit_id, row.tenant_id) if one]
    return _of_rows(tx, caller, rows, {charge.id, *(one.id for one in found)}, records, write)


def as_of(found: Evidence) -> str:
    """Return the timestamp of the latest change to the evidence."""
    return max([*(one.row.updated_at for one in found.invoices), *(event.at for event in found.events)])


def files_of(tx: Tx, caller: Caller, found: Evidence) -> Iterator[tuple[str, str, bytes]]:
    """Yield the files of bills one by one: bill id, file type and bytes.

    The type is, for example, "pdf".
    """
    for one in found.bills:
        content = documents.content(tx, caller.account_id, one.document_id) if one.document_id else None
        if content is not None:
            yield one.row.id, told("", content).kind or "bin", content


def dispute_files(tx: Tx, caller: Caller, found: Evidence) -> Iterator[tuple[KeptFile, bytes]]:
    """Yield the files of disputes one by one, with their bytes."""
    for one in found.dispute_files:
        file = disputes.file(tx, caller.account_id, one.question_id, one.number)
        if file is not None:
            yield one, file.content


def _of_rows(
    tx: Tx,
    caller: Caller,
    rows: Sequence[InvoiceRow],
    chosen: Container[str] | None,
    records: Sequence[str],
    write: Forms,
) -> Evidence:
    """Collect the evidence for invoices of one unit.

    `chosen` are the ids of the charges that the evidence pack is for; None means all charges. `records` are the
    ids of further records whose events are included.
    """
    account, ids = account_actions.the_account(tx, caller), [row.id for row in rows]
    of_property = access.property_(tx, caller, rows[0].property_id)
    charges = grouped((one.invoice_id, one) for one in invoices.charges(tx, account.id, ids))
    asked = [one for its in charges.values() for one in its if chosen is None or one.id in chosen]
    found_bills = _bills(tx, account, sorted({one.bill_id for one in asked if one.bill_id}))
    kinds = {charge_type(kind) or "OTHER" for bill in found_bills for kind in bill.row.utility_types.split(";")}
    if chosen is not None:
        kinds = {asked[0].utility_type or "OTHER"}
    rules = share_rules.by_utility(tx, caller, of_property.id)
    changed = [*ids, *records, *(one.row.id for one in found_bills)]
    events = stored_activity.of_records(tx, account.id, changed, limit=MOST_EVENTS_OF_EVIDENCE + 1)
    months = {row.month for row in rows} | {one.corrects_month for one in asked if one.corrects_month}
    decided = _decisions(tx, account.id, of_property.id, months)
    of_rules = _of_rules(tx, account.id, of_property.id, kinds)
    told = sorted([*events, *decided, *of_rules], key=lambda event: event.id)
    found = tuple(_invoices(tx, caller, rows, charges, frozenset(one.id for one in asked), chosen is not None))
    return Evidence(
        account,
        of_property,
        access.unit(tx, caller, rows[0].unit_id),
        rows[0].tenant_name or "",
        None,
        None,
        found,
        tuple(found_bills),
        tuple(one for one in rules if (charge_type(one.utility_type) or "OTHER") in kinds),
        _announcements(tx, rows[0], kinds if chosen is not None else None),
        tuple(_without_others(activity.shown(tx, caller, told[:MOST_EVENTS_OF_EVIDENCE], write), found)),
        disputes.files_of(tx, account.id, [question_id for one in found for question_id in one.disputes]),
        len(told) > MOST_EVENTS_OF_EVIDENCE,
        tuple(_undone(tx, account.id, rows, asked)),
    )


def _decisions(tx: Tx, account_id: str, property_id: str, months: Container[str]) -> Iterator[EventRow]:
    """Yield the events in which a person decided about the corrections of these months.

    The events' amounts are left out, because they are totals over all tenants.
    """
    for event in stored_activity.done_to(tx, account_id, property_id, _DECISIONS):
        if any(month in months for month in json.loads(event.after or "{}").get("months", ())):
            yield event._replace(before=None, after=None)


def _of_rules(tx: Tx, account_id: str, property_id: str, kinds: Container[str]) -> Iterator[EventRow]:
    """Yield the events of a property's share rules for these utility types, deleted rules included."""
    for event in stored_activity.of_rules(tx, account_id, property_id):
        utility_type = json.loads(event.after or event.before or "{}").get("utility_type")
        if utility_type and (charge_type(utility_type) or "OTHER") in kinds:
            yield event


def _announcements(tx: Tx, row: InvoiceRow, kinds: Container[str] | None) -> Sequence[KeptAnnouncement]:
    """List the rule announcements to an invoice's tenant, with the e-mails that contained them.

    Only announcements about the utility types in `kinds` are listed; None means all utility types.
    """
    told = evidence.announced_to(tx, row.account_id, row.property_id, row.tenant_id or "")
    its = [one for one in told if kinds is None or (charge_type(one.utility_type) or "OTHER") in kinds]
    mailed = {one.occasion: one for one in mail.about(tx, row.account_id, ANNOUNCEMENT, [one.id for one in its])}
    return [KeptAnnouncement(one, from_json(one.told), mailed.get(one.id)) for one in its]


def _undone(tx: Tx, account_id: str, rows: Sequence[InvoiceRow], asked: Sequence[ChargeRow]) -> Iterator[CorrectionRow]:
    """Yield a tenant's corrections of these charges that are not settled.

    `asked` are the charges, and `rows` the tenant's invoices. If one of the charges is itself a correction, the
    corrections of the charge that it corrects are included. A correction is not settled as long as one of its amounts
    is undecided, is left to the owner, or is on an invoice that has not been sent.
    """
    of, month_of_invoice = rows[0], {row.id: row.month for row in rows}
    lines = {(one.corrects_month or month_of_invoice[one.invoice_id], one.bill_id, one.line) for one in asked}
    for one in corrections.of_months(tx, account_id, [of.property_id], sorted({month for month, _, _ in lines})):
        is_its = one.unit_id == of.unit_id and of.tenant_id in one.household.split()
        stands = one.waiting_amount or one.left_amount or one.to_charge_amount
        if is_its and (one.month, one.bill_id, one.line) in lines and stands:
            yield one


def _without_others(events: Sequence[ShownEvent], found: Sequence[InvoiceEvidence]) -> Iterator[ShownEvent]:
    """Yield the events, leaving out an invoice's former tenants and the events of their time.

    Events of an invoice that had another tenant are left out up to the time when the present tenant took over.
    Changes from or to a former tenant's name or address are left out of the other events.
    """
    others = {one.row.id: one.others for one in found}
    called = {name for one in found for name in one.others.called}
    for event in events:
        before = others.get(event.record_id)
        if before is None or event.at > before.until:
            yield event._replace(
                changes=[one for one in event.changes if called.isdisjoint((str(one.was), str(one.became)))]
            )


def _invoices(
    tx: Tx, caller: Caller, rows: Sequence[InvoiceRow], charges: Mapping[str, list[ChargeRow]], asked: frozenset[str],
    is_of_asked: bool,
) -> Iterator[InvoiceEvidence]:  # fmt: skip
    """Yield invoices with their charges, payments, disputes and everything else that happened to them.

    `charges` maps invoice ids to the invoices' charges, and `asked` contains the ids of the charges that the
    evidence pack is for. If `is_of_asked` is true, disputes of other charges are left out.
    """
    ids = [row.id for row in rows]
    paid = grouped((one.invoice_id, one) for one in payments.of_invoices(tx, caller.account_id, ids))
    sent = grouped((one.invoice_id, one) for one in mail.of_invoices(tx, caller.account_id, ids))
    said = grouped((one.invoice_id, one) for one in tenant_pages.questions_of(tx, caller.account_id, ids))
    disputed = disputes.of_invoices(tx, caller.account_id, ids)
    others = {one.question_id for one in disputed if is_of_asked and one.charge_id not in asked}
    its_disputes = grouped((one.invoice_id, one) for one in disputed if one.question_id not in others)
    asked_ids = [one.id for its in said.values() for one in its]
    replied = (one for kind in (REPLY, OUTCOME) for one in mail.about(tx, caller.account_id, kind, asked_ids))
    replies = grouped((one.occasion, one) for one in replied)
    in_question = disputed_amounts.disputed(tx, caller.account_id, ids)
    explained = grouped((one.invoice_id, one) for one in explanations.of_invoices(tx, caller.account_id, ids))
    earlier = grouped((one.invoice_id, one) for one in earlier_invoices.of_invoices(tx, caller.account_id, ids))
    mine = {row.id: _own_earlier(row, earlier[row.id]) for row in rows}
    taken_back = [(row, one) for row in rows for one in mine[row.id]]
    was = grouped((row.id, it) for (row, _), it in zip(taken_back, as_they_were(tx, caller, taken_back), strict=True))
    for row, printed in zip(rows, printed_invoices.of_rows(tx, caller, rows), strict=True):
        yield InvoiceEvidence(
            row,
            printed,
            charges[row.id],
            asked,
            tuple(was[row.id]),
            paid.get(row.id, ()),
            [one for one in sent[row.id] if not one.is_former],
            [one for one in said.get(row.id, ()) if one.tenant_id == row.tenant_id and one.id not in others],
            {one.question_id: one for one in its_disputes[row.id] if one.tenant_id == row.tenant_id},
            0 if row.status == CANCELLED else in_question.get(row.id, 0),
            replies,
            [one for one in explained[row.id] if one.number in {row.number, *(its.number for its in mine[row.id])}],
            _Others.of(row, earlier[row.id], sent[row.id]),
        )


def _own_earlier(row: InvoiceRow, earlier: Sequence[EarlierRow]) -> list[EarlierRow]:
    """List the earlier versions of an invoice that its current tenant got under other numbers."""
    return [one for one in earlier if one.tenant_id == row.tenant_id and one.number != row.number]


def _bills(tx: Tx, account: AccountRow, bill_ids: list[str]) -> list[BillEvidence]:
    sources = tenant_pages.sources(tx, account.id, bill_ids) if bill_ids else []
    shown = tenant_visible_bills.documents_of(tx, account, sources)
    return [BillEvidence(row, shown.get(row.id)) for row in bills.summaries(tx, account.id, bill_ids)]
