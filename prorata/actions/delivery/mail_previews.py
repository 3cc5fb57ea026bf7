"""A preview of an invoice's e-mail or reminder, as it would be written now."""

from datetime import timedelta

from prorata.actions.accounts import access, accounts as account_actions
from prorata.actions.delivery.deliveries import address_now
from prorata.actions.invoices import carries, tenant_links
from prorata.actions.invoices.tenant_links import TenantLinks
from prorata.actions.printing import tenant_copies
from prorata.domain.delivery.reminders import kind_on
from prorata.domain.delivery.tenant_mail import Kind
from prorata.domain.invoice_states import SENT, UNSENT
from prorata.domain.printing.printed_invoices import CarriedCredit
from prorata.ports.mail import InvoiceMail
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.invoices.asked_elsewhere import asked_elsewhere


def preview(
    tx: Tx, caller: Caller, invoice_id: str, links: TenantLinks, *, reminds: bool = False
) -> InvoiceMail | None:
    """Build an invoice's e-mail as if it were sent today.

    If `reminds` is true, the e-mail is a reminder. Return None if the invoice is for a vacant unit. If the tenant
    has no e-mail address, `to` is empty. Raises `NotFound` if there is no such invoice.
    """
    row, account = access.invoice(tx, caller, invoice_id), account_actions.the_account(tx, caller)
    if row.tenant_id is None:
        return None
    printed = tenant_copies.of_row(tx, caller, row)
    if row.status in UNSENT:
        due = account_actions.today_in(account, tx) + timedelta(days=account.payment_terms)
        elsewhere = asked_elsewhere(tx, account.id, [row.id]).get(row.id, ())
        taken = carries.taken_by(tx, account, row)
        printed = printed._replace(
            status=SENT, due_date=due, elsewhere=tuple(elsewhere), paid=printed.paid + sum(taken.values()),
            credits=(*printed.credits, *(CarriedCredit(number, amount) for number, amount in taken.items())),
        )  # fmt: skip
    today = account_actions.today_in(account, tx)
    kind = kind_on(printed.due_date or today, today) if reminds else Kind.INVOICE
    link = tenant_links.link_to(tx, row)
    page_url = links.url(link) if link else links.in_dashboard(row.id)
    return InvoiceMail(
        token="",
        kind=kind,
        invoice=printed.paid_at(page_url),
        contact=account.contacts,
        to=address_now(tx, row) or "",
        to_name=row.tenant_name,
        at=tx.moment,
        page_url=page_url,
        own_subject=account.mail_subject,
        own_opening=account.mail_opening,
    )
