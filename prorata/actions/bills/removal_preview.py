"""The preview of a bill's removal: what would be lost, or why it's refused."""

from datetime import date

from prorata.actions.bills.splits import BillSplit
from prorata.domain.invoice_states import DRAFT
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.properties import deletion_previews
from prorata.domain.properties.deletion_previews import Loss
from prorata.store.audit.audit import Caller
from prorata.store.bills import lookups as bill_lookups
from prorata.store.database.engine import Tx


def of_split(tx: Tx, caller: Caller, split: BillSplit, write: Forms = PLAIN) -> Loss:
    """Describe what the removal of a bill would lose, given the bill's split."""
    charged = [line for line in split.lines if line.line.charged]
    named = sorted({line.line.month for line in charged})
    invoices = {charge.invoice for line in charged for share in line.shares for charge in share.own}
    day = write.day(date.fromisoformat(split.row.bill_date))
    name = f"{split.row.issuer_name}, {day}, {write.money(split.bill.total, split.currency)}"
    drafts = sum(invoice.status == DRAFT for invoice in invoices)
    going = 0
    if drafts and not split.closed:
        going = bill_lookups.drafts_of_alone(tx, caller.account_id, split.row.property_id, split.row.id, named)
    return deletion_previews.of_bill(name, closed=split.closed, drafts=drafts, months=named, going=going, write=write)
