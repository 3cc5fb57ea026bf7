"""What e-mails say of a dispute: the amount in question, until when it is answered, and how it ended."""

from datetime import date

from prorata.domain.billing_calendar import Month
from prorata.domain.delivery.question_mail import InDispute
from prorata.store.database.engine import Tx
from prorata.store.delivery import disputes
from prorata.store.delivery.tenant_pages import QuestionRow


def in_dispute(tx: Tx, asked: QuestionRow, currency: str, *, has_ended: bool = False) -> InDispute | None:
    """What is disputed, where a question is a dispute; with its end, or that it is open again, where the message is
    about that.
    """
    row = disputes.find(tx, asked.account_id, asked.id)
    if row is None:
        return None
    found = InDispute(row.amount, currency, date.fromisoformat(row.answer_by))
    if not has_ended:
        return found
    carrier = Month(row.carrier) if row.carrier else None
    return found._replace(ended=row.state, corrected=row.corrected or 0, carrier=carrier, reason=row.reason or "")
