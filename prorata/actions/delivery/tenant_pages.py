"""The page on which a tenant sees one invoice without signing in.

This module writes nothing, and the page shows nothing about other tenants.
"""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Literal, NamedTuple

from prorata.actions.accounts import accounts as account_actions
from prorata.actions.delivery import receipts, tenant_visible_bills
from prorata.actions.invoices import corrected_invoices, statements, tenant_links
from prorata.actions.invoices.corrected_invoices import CorrectedOn
from prorata.actions.mail.tenant_addresses import address_of
from prorata.actions.online_payments import payment_links, payments_under_way
from prorata.actions.printing import tenant_copies
from prorata.actions.splitting import explanations
from prorata.domain.delivery.disputes import OPEN, answer_by
from prorata.domain.due_times import day_in
from prorata.domain.files.file_kinds import PICTURE_KINDS, FileKind, told
from prorata.domain.groups import grouped
from prorata.domain.invoice_states import CANCELLED, DRAFT, PAYMENT_FAILED
from prorata.domain.invoices.statements import NOTED, Statement
from prorata.domain.invoices.tenant_links import TenantLink
from prorata.domain.online_payments.payment_links import BEING_MADE
from prorata.domain.printing.printed_invoices import PrintedInvoice
from prorata.errors import NotFound
from prorata.ports.mail import InvoiceMail
from prorata.store.accounts import accounts
from prorata.store.accounts.accounts import AccountRow
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.delivery import disputes, tenant_pages
from prorata.store.delivery.disputes import ListedDispute
from prorata.store.delivery.tenant_pages import QuestionRow, SourceRow
from prorata.store.intake import documents
from prorata.store.invoices import invoices
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.properties import units

TENANT = "tenant"
"""The actor of a tenant's actions."""
Stands = Literal["open", "revised", "cancelled"]


class LinkOver(NamedTuple):
    """An expired link to a tenant's page, with the landlord's contact for a new link."""

    biller: str
    contact: str
    locale: str


class Source(NamedTuple):
    """A bill that an invoice charges, identified by its number on the invoice.

    `has_document` is set if the bill's file can be opened.
    """

    number: int
    has_document: bool


class TenantPage(NamedTuple):
    """The tenant's page of an invoice, opened by a link.

    `stands` states that the invoice is open, was taken back to be changed, or is cancelled; only an open invoice is
    payable. `sources` and `charge_ids` are in the order of its charges. `asks_by_mail` is set if the account knows an
    e-mail address of the tenant for replies to questions. `is_under_way` is set if a payment was made but has not
    arrived yet. `is_link_made` is set if, after a failed payment, a new payment link is being made. `thread` contains
    the tenant's questions with the replies, oldest first. `disputes` maps the questions that are disputes to the
    disputes, and `files` maps them to the names of the disputes' files. `statement`, if requested, contains the
    tenant's charges and payments `since` a day. `is_explained` is set if the invoice's explanation was stored when it
    was issued. `today` is today's date in the account's `timezone`, and `answer_by` the last day to answer a dispute
    that is opened today. `corrected_on` are the tenant's later invoices that correct its month, with links to those
    that went to the same address, and `to_correct` is the sum in cents of decided corrections that the tenant's next
    invoices will have. Invoices that have not left yet count as next ones, and no part of the page names them.
    """

    link: TenantLink
    row: InvoiceRow
    printed: PrintedInvoice
    contact: str
    stands: Stands
    sources: tuple[Source | None, ...]
    asks_by_mail: bool
    today: date
    timezone: str
    answer_by: date
    since: date | None = None
    statement: Statement | None = None
    is_under_way: bool = False
    is_link_made: bool = False
    thread: Sequence[QuestionRow] = ()
    is_explained: bool = False
    charge_ids: Sequence[str] = ()
    disputes: Mapping[str, ListedDispute] = {}
    files: Mapping[str, Sequence[str]] = {}
    corrected_on: Sequence[tuple[CorrectedOn, TenantLink | None]] = ()
    to_correct: int = 0

    def day_of(self, moment: str) -> date:
        """Return the day of a timestamp in the account's time zone."""
        return day_in(datetime.fromisoformat(moment), self.timezone)

    def open_dispute_of(self, charge_id: str) -> ListedDispute | None:
        """Return the open dispute of a charge, if there is one."""
        its = (dispute for dispute in self.disputes.values() if dispute.charge_id == charge_id)
        return next((dispute for dispute in its if dispute.state == OPEN), None)


class Bill(NamedTuple):
    """The file of a bill that an invoice charges: a PDF or picture.

    `number` is the bill's number on the invoice.
    """

    number: int
    content: bytes
    kind: FileKind


class Links(NamedTuple):
    """An invoice's tenant page, as the account's members see it.

    `link` is None unless the invoice is sent. `is_known` is set if the invoice was sent at some time, so that somebody
    may have its link, and `is_stopped` if the members turned off the link to the page. `questions` are in order, oldest
    first. If the invoice was taken back and is now for another tenant, `was_for` is the former tenant's name.
    """

    link: TenantLink | None
    is_known: bool
    is_stopped: bool
    questions: Sequence[QuestionRow]
    was_for: str | None


def look(tx: Tx, link: TenantLink | None) -> TenantPage | LinkOver:
    """Load the tenant's page that a link opens.

    Raises `NotFound` if the link is unknown, or if its invoice is gone or has no tenant.

    This takes about ten SQL statements, whatever the property's size. The transaction must show all of them the
    same state of the database.
    """
    account, row = _found(tx, link)
    assert link is not None, "it was found by its link"
    if not tenant_links.opens(tx, link):
        return LinkOver(account.name, account.contacts, account.locale)
    printed = tenant_copies.of_row(tx, Caller(account.id, TENANT), row)
    stands: Stands = "revised" if row.status == DRAFT else "cancelled" if row.status == CANCELLED else "open"
    sources = _sources(tx, account, printed) if stands == "open" else ()
    has_address = address_of(tx, row, row.tenant_id) is not None
    is_under_way = stands == "open" and bool(payments_under_way.of_invoices(tx, account.id, [row.id]))
    has_failed = stands == "open" and row.payment_status == PAYMENT_FAILED
    is_link_made = has_failed and payment_links.online(tx, Caller(account.id, TENANT), row.id).why_not == BEING_MADE
    questions = tenant_pages.questions_of(tx, account.id, [row.id])
    thread = [question for question in questions if question.tenant_id == row.tenant_id]
    mine = {question.id for question in thread}
    its_disputes = disputes.of_invoices(tx, account.id, [row.id] if mine else [])
    its = {dispute.question_id: dispute for dispute in its_disputes if dispute.question_id in mine}
    charge_ids = [charge.id for charge in invoices.charges(tx, account.id, [row.id])] if stands == "open" else []
    today = account_actions.today_in(account, tx)
    return TenantPage(
        link, row, printed, account.contacts, stands, sources, has_address, today, account.timezone,
        answer_by(today, account.answer_days), is_under_way=is_under_way, is_link_made=is_link_made, thread=thread,
        charge_ids=charge_ids, disputes=its,
        files=grouped((file.question_id, file.name) for file in disputes.files_of(tx, account.id, list(its))),
    )  # fmt: skip


def look_at_all(tx: Tx, link: TenantLink | None) -> TenantPage | LinkOver:
    """Load the tenant's page that a link opens, with a statement for an open invoice.

    Raises `NotFound` in the same cases as `look`.
    """
    page = look(tx, link)
    return page if isinstance(page, LinkOver) or page.stands != "open" else _with_statement(tx, page)


def with_statement(tx: Tx, link: TenantLink | None) -> TenantPage:
    """Load the tenant's page of an open invoice, with the tenant's statement.

    Raises `NotFound` unless the invoice is open.
    """
    return _with_statement(tx, opened(tx, link))


def receipt(tx: Tx, link: TenantLink | None, invoice_id: str, payment: str) -> tuple[TenantPage, InvoiceMail]:
    """Load the page of an open invoice, and a payment's receipt as a letter.

    The payment must be in the tenant's statement; `payment` is its name in a receipt's address (`Posting.receipt`).
    Raises `NotFound` if it isn't there, or unless the invoice is open.
    """
    page = with_statement(tx, link)
    postings = [row.posting for row in page.statement.rows] if page.statement else []
    if (invoice_id, payment) not in [(posting.invoice_id, posting.receipt) for posting in postings if posting.receipt]:
        raise NotFound("payment")
    entry_id = None if payment == NOTED else payment
    return page, receipts.on_paper(tx, Caller(page.row.account_id, TENANT), invoice_id, entry_id)


def _with_statement(tx: Tx, page: TenantPage) -> TenantPage:
    account = accounts.find(tx, page.row.account_id)
    assert account is not None, "an invoice has its account"
    since, statement = statements.for_tenant(tx, account, page.row)
    corrected, to_correct = corrected_invoices.seen_by_tenant(tx, page.row)
    return page._replace(
        since=since, statement=statement, is_explained=explanations.is_there(tx, page.row),
        corrected_on=_with_links(tx, page, corrected), to_correct=to_correct,
    )  # fmt: skip


def _with_links(
    tx: Tx, page: TenantPage, found: Sequence[CorrectedOn]
) -> list[tuple[CorrectedOn, TenantLink | None]]:  # fmt: skip
    """Add links to the pages of invoices that correct the invoice on this page.

    An invoice comes with a link if it went to the same e-mail address as the invoice on this page. These links
    expire no later than the link to this page.
    """
    reachable = [corrected.invoice for corrected in found if corrected.went_to_same]
    its_links = tenant_links.links_to(tx, page.row.account_id, reachable)
    return [
        (corrected, link._replace(until=page.link.until) if (link := its_links.get(corrected.invoice.id)) else None)
        for corrected in found
    ]


def _found(tx: Tx, link: TenantLink | None) -> tuple[AccountRow, InvoiceRow]:
    account = accounts.find(tx, link.account_id) if link else None
    row = invoices.find(tx, link.account_id, link.invoice_id) if link else None
    if account is None or row is None or row.tenant_id is None:
        raise NotFound("page")
    return account, row


def opened(tx: Tx, link: TenantLink | None) -> TenantPage:
    """Load the tenant's page that a link opens, provided that the invoice is open.

    Raises `NotFound` if the link is unknown or has expired, or if the invoice is not open.
    """
    page = look(tx, link)
    if isinstance(page, LinkOver) or page.stands != "open":
        raise NotFound("page")
    return page


def _bill_ids(printed: PrintedInvoice) -> tuple[str | None, ...]:
    return tuple(charge.explanation.line.bill_id if charge.explanation else None for charge in printed.charges)


def _rows(tx: Tx, account: AccountRow, printed: PrintedInvoice) -> list[SourceRow]:
    return tenant_pages.sources(tx, account.id, sorted({bill_id for bill_id in _bill_ids(printed) if bill_id}))


def _sources(tx: Tx, account: AccountRow, printed: PrintedInvoice) -> tuple[Source | None, ...]:
    rows = _rows(tx, account, printed)
    shown = tenant_visible_bills.documents_of(tx, account, rows)
    sources = {row.bill_id: Source(number, row.bill_id in shown) for number, row in enumerate(rows, 1)}
    return tuple(sources.get(bill_id or "") for bill_id in _bill_ids(printed))


def bill(tx: Tx, link: TenantLink | None, number: str) -> Bill:
    """Load the file of a bill that an invoice charges, by its `number` there.

    Raises `NotFound` if the invoice has no such bill or is not open, if the account does not show bills to
    tenants, or if no PDF or picture is known to contain only this bill.
    """
    page = opened(tx, link)
    account = accounts.find(tx, page.row.account_id)
    assert account is not None, "an invoice has its account"
    rows = dict(enumerate(_rows(tx, account, page.printed), 1))
    row = rows.get(int(number)) if number.isascii() and number.isdigit() and len(number) < len("10000") else None
    document_id = tenant_visible_bills.documents_of(tx, account, [row]).get(row.bill_id) if row else None
    if document_id is None:
        raise NotFound("bill")
    content = documents.content(tx, account.id, document_id)
    kind = told("", content).kind if content is not None else None
    if content is None or kind not in {"pdf", *PICTURE_KINDS}:
        raise NotFound("bill")
    return Bill(int(number), content, kind)


def explanation(tx: Tx, link: TenantLink | None) -> tuple[str, str]:
    """Return the number of an open invoice, and its explanation as JSON.

    Raises `NotFound` if the link has expired or is unknown, or the invoice is not open.
    """
    page = opened(tx, link)
    return page.row.number, explanations.of_row(tx, page.row)


def links(tx: Tx, caller: Caller, invoice_id: str) -> Links:
    """Load an invoice's tenant page as the account's members see it.

    Raises `NotFound` if there is no such invoice.
    """
    row = invoices.find(tx, caller.account_id, invoice_id)
    if row is None:
        raise NotFound("invoice")
    state = tenant_links.state_of(tx, caller.account_id, row.id)
    questions = tenant_pages.questions_of(tx, caller.account_id, [row.id])
    of_before = state.was_for if state.was_for != row.tenant_id else None
    former = units.find_tenant_of_past(tx, caller.account_id, of_before) if of_before else None
    is_known, was_for = row.issued and row.tenant_id is not None, former.name if former else None
    return Links(tenant_links.link_to(tx, row), is_known, bool(state.is_stopped), questions, was_for)
