"""The tenant's copy of an invoice, without a word about invoices that have not left."""

from prorata.actions.printing import printed_invoices
from prorata.domain.printing.printed_invoices import PrintedInvoice
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.payments import carries


def of_row(tx: Tx, caller: Caller, row: InvoiceRow) -> PrintedInvoice:
    """Build the printed form of a loaded invoice for its tenant.

    If the invoice gave a credit to an invoice that has not left yet, the credit is shown as not carried yet.
    """
    unseen = carries.given_unseen(tx, row.account_id, row.id) if row.entries else {}
    printed = printed_invoices.of_row(tx, caller, row._replace(paid_amount=row.paid_amount - sum(unseen.values())))
    return printed._replace(credits=tuple(one for one in printed.credits if one.number not in unseen))
