"""Stored charges as invoices print them, with the names of what is billed as OTHER."""

from collections.abc import Iterable, Mapping

from prorata.domain.printing.replaced_invoices import Charged
from prorata.store.bills import lookups
from prorata.store.database.engine import Tx
from prorata.store.invoices.invoices import ChargeRow


def as_charged(row: ChargeRow) -> Charged:
    """Convert a stored charge to the form stored for an invoice that is taken back."""
    return Charged(row.bill_id, row.line, row.utility_type, row.amount, row.description, row.corrects_month)


def other_names(tx: Tx, account_id: str, charges: Iterable[ChargeRow | Charged]) -> Mapping[str, str]:
    """Map bills to the names that tenants see instead of “Other”.

    Only bills that charge something as OTHER, and that have such a name, are included. These are the names of today,
    even for an invoice that was sent before.
    """
    ids = sorted({charge.bill_id for charge in charges if charge.bill_id and charge.utility_type is None})
    return lookups.other_names(tx, account_id, ids) if ids else {}
