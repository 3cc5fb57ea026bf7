"""One invoice as a person looks at it: what it charges and why, where it stands, what can be done, what went out."""

from collections.abc import Sequence
from datetime import time, timedelta
from typing import NamedTuple

from prorata.actions import access, deliveries, invoices, printed_invoices
from prorata.actions import accounts as account_actions
from prorata.domain.clockwork import day_in, next_time_of_day
from prorata.domain.deliveries import why_by_hand
from prorata.domain.invoice_steps import NAMES, SEND_AGAIN, STATUS_OF, Situation, Step, step, steps
from prorata.domain.jobs import WAITING
from prorata.domain.lifecycle import CLOSING, UNSENT
from prorata.domain.months import Month
from prorata.domain.printed_invoices import PrintedInvoice
from prorata.errors import Conflict, NotFound
from prorata.ports import Forms
from prorata.store import billing_months, jobs, mail, units
from prorata.store.accounts import AccountRow
from prorata.store.audit import Caller
from prorata.store.engine import Tx
from prorata.store.invoices import ChargeRow, InvoiceRow, InvoiceSummary
from prorata.store.mail import MailRow


class InvoiceReview(NamedTuple):
    """An invoice with all that is shown of it. `charges` are in the order of those that are printed; `mail_due` is when
    a message that waits is to leave; `by_hand` why nobody is e-mailed, where it is to be handed over; `refund` is money
    received for a cancelled invoice, in cents. `is_closed`: its month is.
    """

    row: InvoiceSummary
    printed: PrintedInvoice
    charges: Sequence[ChargeRow]
    steps: tuple[Step, ...]
    messages: list[MailRow]
    mail_due: str | None
    by_hand: str | None
    has_pdf_as_sent: bool
    is_closed: bool
    refund: int


def review(tx: Tx, caller: Caller, invoice_id: str, write: Forms) -> InvoiceReview:
    """All there is to see of an invoice. Raises `NotFound`. Costs more where the property has more units."""
    found = invoices.find(tx, caller, invoice_id)
    row = access.invoice(tx, caller, invoice_id)
    account = account_actions.the_account(tx, caller)
    now = _situation(tx, account, row, found.summary, write)
    messages = mail.of_invoice(tx, account.id, row.id)
    waiting = [job for job in jobs.of_subject(tx, account.id, row.id) if job.state == WAITING]
    return InvoiceReview(
        found.summary,
        printed_invoices.find(tx, caller, row.id),
        found.charges or [],
        steps(now),
        messages,
        min((job.due_at for job in waiting), default=None) if row.delivery == "queued" else None,
        now.why_by_hand if row.delivery == "handOver" else None,
        mail.latest_sent(tx, account.id, row.id, deliveries.WITH_THE_INVOICE) is not None,
        now.is_closed,
        row.paid_amount if row.status == "CANCELLED" else 0,
    )


def question(tx: Tx, caller: Caller, invoice_id: str, name: str, write: Forms) -> tuple[InvoiceSummary, Step]:
    """A step that can be taken with an invoice, and what is asked first. Raises `NotFound`, for the step too."""
    found = invoices.find(tx, caller, invoice_id).summary
    account = account_actions.the_account(tx, caller)
    now = _situation(tx, account, access.invoice(tx, caller, invoice_id), found, write)
    asked = step(now, name)
    if asked is None:
        raise _no_step(name)
    return found, asked


def take(tx: Tx, caller: Caller, invoice_id: str, name: str) -> InvoiceSummary:
    """Take a step with an invoice, by its name. Raises `NotFound`; `Conflict` where it has changed so that this step is
    none of its own any more.
    """
    _, row = access.invoice_to_change(tx, caller, invoice_id)
    if name not in NAMES[row.status]:
        raise _no_step(name)
    if name == SEND_AGAIN:
        deliveries.send_again(tx, caller, invoice_id)
        return invoices.find(tx, caller, invoice_id).summary
    return invoices.set_status(tx, caller, invoice_id, STATUS_OF[name]).summary


def _no_step(name: str) -> Conflict | NotFound:
    if name not in {*STATUS_OF, SEND_AGAIN}:
        return NotFound()
    return Conflict(
        "The invoice has changed meanwhile, so this can't be done with it. Load it again to see how it stands."
    )


def _situation(tx: Tx, account: AccountRow, row: InvoiceRow, summary: InvoiceSummary, write: Forms) -> Situation:
    month = billing_months.find(tx, account.id, row.property_id, row.month)
    assert month is not None, "an invoice has a billing month"
    tenant = units.find_tenant_of_past(tx, account.id, row.tenant_id) if row.tenant_id else None
    address = tenant.email if tenant else row.tenant_email
    received = row.paid_amount - row.paid_by_status
    return Situation(
        number=row.number,
        status=row.status,
        tenant=row.tenant_name,
        address=address,
        month=write.month(Month(row.month)),
        property=summary.property_name,
        balance=write.money(row.total - row.paid_amount, summary.currency),
        leaves=_leaves(tx, account, write),
        why_by_hand=why_by_hand(mail_on=bool(account.mail_on), tenant_id=row.tenant_id, address=address),
        delivery=row.delivery,
        is_closed=month.is_closed,
        closes_alone=row.status in CLOSING and month.sent + month.paid + month.overdue == 1,
        received=write.money(received, summary.currency) if received > 0 and row.status not in UNSENT else "",
    )


def _leaves(tx: Tx, account: AccountRow, write: Forms) -> str:
    """When a message would leave that is queued now."""
    if account.send_at:
        when = next_time_of_day(tx.moment + timedelta(minutes=account.mail_hold), account.timezone, account.send_at)
        is_today = day_in(when, account.timezone) == account_actions.today_in(account, tx)
        return f"at {write.time(time.fromisoformat(account.send_at))} {'today' if is_today else 'tomorrow'}"
    if not account.mail_hold:
        return "at once"
    minutes = "a minute" if account.mail_hold == 1 else f"{write.count(account.mail_hold)} minutes"
    return f"in {minutes}: until then you can take it back"
