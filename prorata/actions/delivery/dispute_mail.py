"""A dispute's facts for e-mails: disputed amount, last day to answer, and outcome."""

from datetime import date

from prorata.domain.billing_calendar import Month, day_of
from prorata.domain.delivery.disputes import OPEN
from prorata.domain.delivery.ended_disputes import owed
from prorata.domain.delivery.question_mail import InDispute
from prorata.store.database.engine import Tx
from prorata.store.delivery import disputes
from prorata.store.delivery.tenant_pages import QuestionRow
from prorata.store.invoices.disputed_amounts import disputed
from prorata.store.invoices.invoices import InvoiceRow


def in_dispute(tx: Tx, asked: QuestionRow, currency: str, *, ended: InvoiceRow | None = None) -> InDispute | None:
    """Return a dispute's facts for a message; None if the question is not a dispute.

    `asked` is the tenant's question. For a message about the end of the dispute, `ended` is the disputed invoice,
    and the result includes the outcome (or that the dispute was reopened) and the invoice's current balance.
    """
    row = disputes.find(tx, asked.account_id, asked.id)
    if row is None:
        return None
    dispute = InDispute(row.amount, currency, date.fromisoformat(row.answer_by), is_open=row.state == OPEN)
    if ended is None:
        return dispute
    carrier = Month(row.carrier) if row.carrier else None
    in_question = disputed(tx, ended.account_id, [ended.id]).get(ended.id, 0)
    balance = ended.total - ended.paid_amount
    now_due = balance - min(in_question, max(balance, 0))
    by_now = owed(ended.status, Month(ended.month), ended.total, now_due, day_of(ended.due_date))
    return dispute._replace(
        ended=row.state, corrected=row.corrected or 0, carrier=carrier, reason=row.reason or "", owed=by_now
    )
