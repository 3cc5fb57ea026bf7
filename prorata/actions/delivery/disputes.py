"""Disputes: questions about a charge, with an amount, files and a last day to answer.

A dispute is a question with further facts. It is shown, replied to and stored like any question
(`tenant_questions`, `question_replies`).
"""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from prorata.actions.accounts import access, accounts as account_actions
from prorata.actions.delivery import dispute_files
from prorata.actions.delivery.dispute_files import BroughtFile
from prorata.actions.delivery.tenant_pages import TENANT
from prorata.actions.lists import walks
from prorata.actions.lists.walks import Listed, Window
from prorata.actions.recalculation import disputed_corrections
from prorata.domain.audit.verbs import Verb
from prorata.domain.delivery.disputes import (
    NO_SUCH_CHARGE,
    NOTHING_SENT,
    OPEN,
    OPEN_ALREADY,
    amount_problem,
    answer_by,
    may_be_disputed,
    text_problems,
)
from prorata.domain.delivery.questions import as_asked
from prorata.domain.groups import grouped
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.problems import Problem
from prorata.domain.texts import say
from prorata.errors import Conflict, InvalidRequest, NotFound
from prorata.ids import is_id
from prorata.store.accounts import api_keys, members
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.delivery import disputes, tenant_pages
from prorata.store.delivery.disputes import DisputeRow, KeptFile, ListedDispute
from prorata.store.delivery.tenant_pages import QuestionRow
from prorata.store.invoices import invoices
from prorata.store.invoices.invoices import ChargeRow, InvoiceRow
from prorata.store.properties.properties import PropertyRow
from prorata.store.webhooks import event_outbox


class Opening(NamedTuple):
    """A dispute to open: a charge, the disputed amount in cents, and the tenant's reason.

    `about` is the description of the charge that the tenant read; if it is None, the API's description is stored.
    """

    charge_id: str
    amount: int
    text: str
    about: str | None = None
    files: Sequence[BroughtFile] = ()


class Disputed(NamedTuple):
    """A dispute as stored in the audit log, among its invoice's events.

    `amount` is in cents.
    """

    property_id: str
    amount: int
    dispute: str


class ShownDispute(NamedTuple):
    """A dispute with its files; `answer_by` is the last day to answer it."""

    row: ListedDispute
    files: Sequence[KeptFile]

    @property
    def is_open(self) -> bool:
        """True if the dispute has not ended."""
        return self.row.state == OPEN

    def is_late(self, today: date) -> bool:
        """True if the dispute is open and unanswered, and should have been answered before `today`."""
        return self.is_open and self.row.answered_at is None and self.row.answer_by < today.isoformat()


def open_one(tx: Tx, caller: Caller, invoice_id: str, opening: Opening, write: Forms = PLAIN) -> QuestionRow:
    """Open a dispute about a charge, as the tenant or as staff on their behalf.

    Raises `NotFound` if there is no such invoice; `Conflict` if the invoice is a draft or cancelled, or the charge
    has an open dispute; `InvalidRequest` with every problem for the fields `chargeId`, `amount`, `text` and
    `files`.
    """
    locked, invoice = access.invoice_to_change(tx, caller, invoice_id)
    if not may_be_disputed(invoice.status):
        raise Conflict(NOTHING_SENT)
    text = as_asked(opening.text)
    charge = charge_of(tx, invoice, opening.charge_id)
    problems = [
        *text_problems("text", text, say("Explain why the charge is wrong.")),
        *dispute_files.problems(opening.files),
    ]
    if charge is None:
        problems.append(Problem("chargeId", NO_SUCH_CHARGE))
    elif wrong := amount_problem(opening.amount, charge.amount, write, locked.currency):
        problems.append(Problem("amount", wrong))
    if problems or charge is None:
        raise InvalidRequest.because(problems)
    if any(
        (dispute.state, dispute.charge_id, dispute.tenant_id) == (OPEN, charge.id, invoice.tenant_id)
        for dispute in disputes.of_invoices(tx, caller.account_id, [invoice.id])
    ):
        raise Conflict(OPEN_ALREADY)
    return _add(tx, caller, invoice, charge, opening._replace(text=text))


def charge_of(tx: Tx, invoice: InvoiceRow, charge_id: str) -> ChargeRow | None:
    """Find a current charge of an invoice by its id; None if there is none."""
    its = invoices.charges(tx, invoice.account_id, [invoice.id])
    return next((charge for charge in its if charge.id == charge_id), None)


def _add(tx: Tx, caller: Caller, invoice: InvoiceRow, charge: ChargeRow, opening: Opening) -> QuestionRow:
    account = account_actions.the_account(tx, caller)
    question = QuestionRow(
        account.id,
        tx.new_id("ask"),
        invoice.id,
        opening.text,
        tx.now,
        None,
        invoice.tenant_id,
        invoice.tenant_name,
        opening.about or charge.description,
    )
    tenant_pages.add_question(tx, question)
    row = DisputeRow(
        account.id,
        question.id,
        invoice.id,
        charge.id,
        invoice.tenant_id,
        charge.bill_id,
        charge.line,
        charge.corrects_month,
        charge.corrects_tenant,
        charge.amount,
        disputed_corrections.issued_of(tx, invoice, charge),
        opening.amount,
        answer_by(account_actions.today_in(account, tx), account.answer_days).isoformat(),
        name_of(tx, caller),
        OPEN,
    )
    disputes.add(tx, row, dispute_files.kept(row, opening.files))
    noted = Disputed(invoice.property_id, row.amount, opening.text)
    audit.record(tx, caller, Verb.OPEN_DISPUTE, invoice.id, after=noted)
    event_outbox.note_dispute(tx, account.id, "dispute.opened", question.id, invoice.property_id)
    return question


def name_of(tx: Tx, caller: Caller) -> str | None:
    """Return the name of the member, API key or program that acts in a dispute.

    Return None if the tenant acts.
    """
    if caller.actor == TENANT:
        return None
    member = members.find(tx, caller.account_id, caller.actor) if is_id(caller.actor, "member") else None
    key = api_keys.find(tx, caller.account_id, caller.actor) if is_id(caller.actor, "key") else None
    return (member.name or member.email) if member else key.name if key else caller.actor


def to_change(tx: Tx, caller: Caller, dispute_id: str) -> tuple[PropertyRow, InvoiceRow, DisputeRow]:
    """Find a dispute of the caller with its invoice and property, and lock the property.

    Raises `NotFound` if there is no such dispute.
    """
    dispute = access.the_one(disputes.find, tx, caller, dispute_id, "ask", "dispute")
    locked, invoice = access.invoice_to_change(tx, caller, dispute.invoice_id)
    return locked, invoice, access.there(disputes.find(tx, caller.account_id, dispute.question_id), "dispute")


def find(tx: Tx, caller: Caller, dispute_id: str) -> ShownDispute:
    """Find a dispute of the caller.

    Raises `NotFound` if there is no such dispute.
    """
    rows = disputes.find_many(tx, caller.account_id, [dispute_id]) if is_id(dispute_id, "ask") else []
    if not rows:
        raise NotFound("dispute")
    (shown,) = _shown(tx, caller, rows)
    return shown


def of_invoice(tx: Tx, caller: Caller, invoice_id: str) -> list[ShownDispute]:
    """List the disputes of an invoice, oldest first."""
    return _shown(tx, caller, disputes.of_invoices(tx, caller.account_id, [invoice_id]))


def page(tx: Tx, caller: Caller, filters: dict[str, str], *, limit: int, offset: int) -> tuple[list[ShownDispute], int]:
    """List one page of an account's disputes, latest first, and count the matches."""
    rows = disputes.page(tx, caller.account_id, filters, limit=limit, offset=offset)
    return _shown(tx, caller, rows), disputes.number(tx, caller.account_id, filters)


def listed(tx: Tx, caller: Caller, filters: dict[str, str], window: Window) -> Listed[ShownDispute]:
    """List the account's disputes that a window selects, latest first."""
    return walks.listed(
        tx, caller, disputes.DISPUTES, filters, window,
        page=lambda: page(tx, caller, filters, limit=window.limit, offset=window.offset),
        found=lambda ids: _shown(tx, caller, disputes.find_many(tx, caller.account_id, ids)),
        id_of=lambda dispute: dispute.row.question_id,
    )  # fmt: skip


def _shown(tx: Tx, caller: Caller, rows: Sequence[ListedDispute]) -> list[ShownDispute]:
    files = disputes.files_of(tx, caller.account_id, [row.question_id for row in rows])
    by_dispute = grouped((file.question_id, file) for file in files)
    return [ShownDispute(row, by_dispute[row.question_id]) for row in rows]
