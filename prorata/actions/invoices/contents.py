"""The fingerprint of invoices as they would be sent, including their recipients."""

from collections.abc import Sequence
from hashlib import sha256

from prorata.store.accounts.accounts import AccountRow
from prorata.store.database.engine import Tx
from prorata.store.invoices import contents

_LONG_ENOUGH = 32


def fingerprint(tx: Tx, account: AccountRow, invoice_ids: Sequence[str], *others: str) -> str:
    """Fingerprint these invoices as they would be sent now, in two SQL statements.

    The fingerprint changes if an invoice is added or missing, if an invoice's charges, total or tenant change, if a
    tenant's name or e-mail address changes, if e-mail is turned on or off, or if a bill of an invoice's month changes,
    because the invoice names the bill's issuer and amounts. It also changes with `others`, further texts that a person
    is shown.
    """
    rows = contents.invoices(tx, account.id, list(invoice_ids))
    ids, months = sorted({row.property_id for row in rows}), sorted({row.month for row in rows})
    bills = contents.bills(tx, account.id, ids, months) if rows else []
    versions = [repr(row if account.mail_on else row._replace(address=None)) for row in rows]
    return sha256("\n".join([*versions, repr(bills), *others]).encode()).hexdigest()[:_LONG_ENOUGH]
