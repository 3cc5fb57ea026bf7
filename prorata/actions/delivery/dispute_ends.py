"""The three ways to end a dispute: a reason, a correction, and the tenant's withdrawal."""

from prorata.actions.accounts import accounts as account_actions
from prorata.actions.delivery import disputes as dispute_actions
from prorata.actions.delivery.disputes import Disputed
from prorata.actions.delivery.tenant_pages import TENANT
from prorata.actions.jobs import recurring
from prorata.actions.mail import queue as mail_queue
from prorata.actions.mail.tenant_addresses import address_of
from prorata.actions.recalculation import disputed_corrections
from prorata.actions.recalculation.disputed_corrections import Correction
from prorata.domain.audit.verbs import Verb
from prorata.domain.delivery.disputes import (
    CORRECTED,
    CORRECTION_WAITS,
    ENDED,
    LEFT_TO_OWNER,
    NOT_CORRECTED,
    OPEN,
    RESOLVED,
    WITHDRAWN,
    text_problems,
)
from prorata.domain.delivery.question_mail import OUTCOME
from prorata.domain.delivery.questions import as_asked
from prorata.domain.texts import say
from prorata.errors import Conflict, InvalidRequest
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.delivery import disputes, tenant_pages as stored
from prorata.store.delivery.disputes import DisputeRow
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.webhooks import event_outbox

_VERBS: dict[str, Verb] = {
    RESOLVED: Verb.RESOLVE_DISPUTE, CORRECTED: Verb.CORRECT_DISPUTE, WITHDRAWN: Verb.WITHDRAW_DISPUTE,
}  # fmt: skip


def resolve(tx: Tx, caller: Caller, dispute_id: str, reason: str) -> bool:
    """End a dispute with a reason; the charge stays. Return True if the tenant is e-mailed.

    Raises `NotFound` if there is no such dispute, `InvalidRequest` if the reason is missing or too long, and `Conflict`
    if the dispute has ended.
    """
    reason_given = as_asked(reason)
    if problems := list(text_problems("reason", reason_given, say("Enter a reason."))):
        raise InvalidRequest.because(problems)
    invoice, row = _open_one(tx, caller, dispute_id)
    return _end(tx, caller, invoice, row, RESOLVED, reason=reason_given)


def resolve_by_correction(tx: Tx, caller: Caller, dispute_id: str, reason: str = "") -> bool:
    """End a dispute because its charge has been corrected. Return True if the tenant is e-mailed.

    The correction may be on another invoice, or on the same invoice if that is sent again. Raises everything that
    `resolve` raises, and `Conflict` if the charge has no correction, or only an undecided one.
    """
    reason_given = as_asked(reason)
    if reason_given and (problems := list(text_problems("reason", reason_given, ""))):
        raise InvalidRequest.because(problems)
    invoice, row = _open_one(tx, caller, dispute_id)
    correction = _correction(tx, row)
    return _end(tx, caller, invoice, row, CORRECTED, reason=reason_given or None, correction=correction)


def correctable(tx: Tx, caller: Caller, invoice_id: str) -> frozenset[str]:
    """Return the ids of an invoice's open disputes that can end with a correction now."""
    rows = disputes.open_of_invoice(tx, caller.account_id, invoice_id)
    if not rows:
        return frozenset()
    its_corrections = disputed_corrections.corrections_of(tx, caller.account_id, rows)
    return frozenset(dispute for dispute, correction in its_corrections.items() if correction.ends_dispute)


def withdraw(tx: Tx, caller: Caller, dispute_id: str) -> bool:
    """End a dispute as withdrawn by its tenant. Return True if the tenant is e-mailed.

    Raises `NotFound` if there is no such dispute, and `Conflict` if it has ended.
    """
    invoice, row = _open_one(tx, caller, dispute_id)
    return _end(tx, caller, invoice, row, WITHDRAWN)


def _open_one(tx: Tx, caller: Caller, dispute_id: str) -> tuple[InvoiceRow, DisputeRow]:
    _, invoice, row = dispute_actions.to_change(tx, caller, dispute_id)
    if row.state != OPEN:
        raise Conflict(ENDED)
    return invoice, row


def _correction(tx: Tx, row: DisputeRow) -> Correction:
    """Return the correction of a disputed charge.

    Raises `Conflict` if there is no correction or it is undecided.
    """
    correction = disputed_corrections.corrections_of(tx, row.account_id, [row])[row.question_id]
    if correction.ends_dispute:
        return correction
    if correction.waits:
        raise Conflict(CORRECTION_WAITS)
    raise Conflict(LEFT_TO_OWNER if correction.is_left else NOT_CORRECTED)


def _end(
    tx: Tx,
    caller: Caller,
    invoice: InvoiceRow,
    row: DisputeRow,
    state: str,
    *,
    reason: str | None = None,
    correction: Correction | None = None,
) -> bool:
    """End an open dispute, mark its question answered, and queue a check for overdue invoices.

    Return True if the tenant is e-mailed.
    """
    ended = row._replace(
        state=state,
        ended_at=tx.now,
        ended_by=dispute_actions.name_of(tx, caller),
        reason=reason,
    )
    disputes.save_ends(tx, [disputed_corrections.ended_with(ended, correction) if correction else ended])
    stored.answer_question(tx, row.account_id, row.question_id)
    noted = Disputed(invoice.property_id, row.amount, reason or "")
    audit.record(tx, caller, _VERBS[state], invoice.id, after=noted)
    event_outbox.note_dispute(tx, row.account_id, "dispute.resolved", row.question_id, invoice.property_id)
    recurring.look_now(tx, row.account_id, recurring.OVERDUE)
    return _tell(tx, caller, invoice, row.question_id)


def _tell(tx: Tx, caller: Caller, invoice: InvoiceRow, question_id: str) -> bool:
    """E-mail the end of a dispute to the tenant who raised it.

    Return True if an e-mail is sent. Nothing is sent if the account sends no mail, the tenant has no address, or the
    tenant ended the dispute.
    """
    asked = stored.find_question(tx, caller.account_id, question_id)
    if asked is None or caller.actor == TENANT or not account_actions.the_account(tx, caller).mail_on:
        return False
    address = address_of(tx, invoice, asked.tenant_id)
    if address is not None:
        mail_queue.queue(tx, caller.account_id, OUTCOME, str(address), occasion=question_id, to_name=asked.tenant_name)
    return address is not None
