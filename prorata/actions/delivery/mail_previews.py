"""An invoice's e-mail or reminder as it would be written now, and its sent reminders."""

from datetime import datetime, timedelta

from prorata.actions.accounts import access, accounts as account_actions
from prorata.actions.delivery.deliveries import REMINDING, address_now
from prorata.actions.invoices import carries, tenant_links
from prorata.actions.invoices.tenant_links import TenantLinks
from prorata.actions.printing import tenant_copies
from prorata.actions.recalculation.month_loader import as_entry
from prorata.domain.delivery.reminders import kind_on
from prorata.domain.delivery.tenant_mail import Kind
from prorata.domain.invoice_states import OVERDUE, SENT, UNPAID, UNSENT
from prorata.domain.invoices.ledger import received
from prorata.domain.mail.deliveries import HAS_LEFT
from prorata.domain.printing.printed_invoices import CarriedCredit, PrintedInvoice
from prorata.errors import NotFound
from prorata.ids import is_id
from prorata.ports.mail import InvoiceMail
from prorata.store.accounts.accounts import AccountRow
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.invoices.asked_elsewhere import asked_elsewhere
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.mail import messages as mail
from prorata.store.mail.messages import MailRow
from prorata.store.payments import payments


def preview(
    tx: Tx, caller: Caller, invoice_id: str, links: TenantLinks, *, reminds: bool = False
) -> InvoiceMail | None:
    """Build an invoice's e-mail as if it were sent today.

    If `reminds` is true, the e-mail is a reminder. Return None if the invoice is for a vacant unit, or if a reminder
    would have nothing to ask for. If the tenant has no e-mail address, `to` is empty. Raises `NotFound` if there is no
    such invoice.
    """
    row, account = access.invoice(tx, caller, invoice_id), account_actions.the_account(tx, caller)
    if row.tenant_id is None or (reminds and row.status not in UNPAID):
        return None
    printed, today = tenant_copies.of_row(tx, caller, row), account_actions.today_in(account, tx)
    if row.status in UNSENT:
        due = today + timedelta(days=account.payment_terms)
        elsewhere = asked_elsewhere(tx, account.id, [row.id]).get(row.id, ())
        moved = carries.moved_by(tx, account, row)
        left = (other._replace(amount=other.amount + moved.get(other.number, 0)) for other in elsewhere)
        printed = printed._replace(
            status=SENT, due_date=due, elsewhere=tuple(other for other in left if other.amount),
            paid=printed.paid + sum(moved.values()),
            credits=(*printed.credits, *(CarriedCredit(number, amount) for number, amount in moved.items())),
        )  # fmt: skip
    if reminds and printed.asked <= 0:
        return None
    kind = kind_on(printed.due_date or today, today) if reminds else Kind.INVOICE
    return _mail(tx, account, row, kind, printed, links, to=address_now(tx, row) or "", at=tx.moment)


def can_be_read(sent: MailRow, status: str, invoice_date: str) -> bool:
    """True if a message is a sent reminder of an invoice sent that day.

    A draft or cancelled invoice has no due date any more, so its reminders can't be read.
    """
    is_of_now = status not in UNSENT and not sent.is_former and sent.occasion.partition(" ")[0] == invoice_date
    return sent.kind in REMINDING and is_of_now and sent.state in HAS_LEFT


def sent_reminder(tx: Tx, caller: Caller, invoice_id: str, mail_id: str, links: TenantLinks) -> InvoiceMail:
    """Build a reminder again as it left: with what Prorata knew was paid by then.

    What the tenant's other invoices asked for on that day is not stored, so the reminder is built without them. Raises
    `NotFound` if the invoice has no such reminder.
    """
    row, account = access.invoice(tx, caller, invoice_id), account_actions.the_account(tx, caller)
    sent = mail.find(tx, account.id, mail_id) if is_id(mail_id, "mail") else None
    if sent is None or sent.invoice_id != row.id or not can_be_read(sent, row.status, row.invoice_date):
        raise NotFound("message")
    left = sent.sent_at or sent.updated_at
    known = [entry for entry in payments.of_invoices(tx, account.id, [row.id]) if entry.created_at <= left]
    kind = Kind(sent.kind)
    printed = tenant_copies.of_row(tx, caller, row._replace(paid_amount=received([*map(as_entry, known)])))
    carried = tuple(one for one in printed.credits if one.day is None or one.day.isoformat() <= left)
    status = OVERDUE if kind is Kind.OVERDUE else SENT
    printed = printed._replace(status=status, credits=carried, elsewhere=())
    if printed.asked <= 0:  # for example, it was disputed later
        printed = printed._replace(disputed=0)
    if printed.asked <= 0:
        raise NotFound("message")
    at = datetime.fromisoformat(left)
    return _mail(tx, account, row, kind, printed, links, to=sent.to_address, at=at)


def _mail(
    tx: Tx, account: AccountRow, row: InvoiceRow, kind: Kind, printed: PrintedInvoice, links: TenantLinks, *,
    to: str, at: datetime,
) -> InvoiceMail:  # fmt: skip
    link = tenant_links.link_to(tx, row)
    page_url = links.url(link) if link else links.in_dashboard(row.id)
    return InvoiceMail(
        token="",
        kind=kind,
        invoice=printed.paid_at(page_url),
        contact=account.contacts,
        to=to,
        to_name=row.tenant_name,
        at=at,
        page_url=page_url,
        own_subject=account.mail_subject,
        own_opening=account.mail_opening,
    )
