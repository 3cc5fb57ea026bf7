"""Written messages about invoices: checking that their facts still hold, and readdressing them."""

from prorata.actions.invoices import standing as invoice_standing, tenant_links
from prorata.actions.invoices.standing import Change
from prorata.domain.invoices.tenant_links import TenantLink
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.invoices.asked_elsewhere import asked_elsewhere
from prorata.store.invoices.disputed_amounts import disputed
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.mail import messages as mail
from prorata.store.mail.messages import MailRow, Written

_MAIL_ACTOR = "mail"


def rests_on(tx: Tx, invoice: InvoiceRow, link: TenantLink | None) -> str:
    """Build a fingerprint of those facts in a message that may change before sending.

    The facts are the invoice's total, paid amount, disputed amount, due date and payment link, the link to the
    tenant's page, and the amounts that other invoices ask for.
    """
    leads_to, ids = None if link is None else link.generation, [invoice.id]
    in_dispute = disputed(tx, invoice.account_id, ids).get(invoice.id)
    others = asked_elsewhere(tx, invoice.account_id, ids).get(invoice.id, ())
    elsewhere = ",".join(f"{other.number}:{other.amount}:{other.due_date}:{other.is_overdue}" for other in others)
    facts = (invoice.total, invoice.paid_amount, invoice.due_date, invoice.payment_link_url, leads_to, in_dispute)
    return " ".join("-" if fact is None else str(fact) for fact in (*facts, elsewhere or None))


def is_so(tx: Tx, invoice: InvoiceRow, written: Written | None) -> bool:
    """True if a message was written and the facts in its text still hold.

    The facts are assumed to hold for a message from an old version of Prorata, which stored no fingerprint of
    them.
    """
    if written is None or written.message is None:
        return False
    return written.rests_on is None or written.rests_on == rests_on(tx, invoice, tenant_links.link_to(tx, invoice))


def readdress(tx: Tx, row: MailRow, invoice: InvoiceRow, address: str) -> None:
    """Store the e-mail address to which a message is now sent, and update its invoice.

    docs/decisions.md#tenant-of-an-invoice has the rules.
    """
    if row.to_address != address:
        mail.save(tx, row._replace(to_address=address, updated_at=tx.now))
    if invoice.tenant_email != address:
        change = Change(invoice, invoice._replace(tenant_email=address))
        invoice_standing.write(tx, Caller(invoice.account_id, _MAIL_ACTOR), [change])
