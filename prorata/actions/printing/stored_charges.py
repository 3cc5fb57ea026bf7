"""Stored charges as invoices print them, with the names of the bills' lines."""

from collections.abc import Iterable

from prorata.domain.bills import line_names
from prorata.domain.printing.replaced_invoices import Charged, Names
from prorata.domain.splitting.planned_charges import charge_type
from prorata.store.bills import lookups
from prorata.store.database.engine import Tx
from prorata.store.invoices.invoices import ChargeRow


def as_charged(row: ChargeRow) -> Charged:
    """Convert a stored charge to the form stored for an invoice that is taken back."""
    return Charged(row.bill_id, row.line, row.utility_type, row.amount, row.description, row.corrects_month)


def names_of(tx: Tx, account_id: str, charges: Iterable[ChargeRow | Charged]) -> Names:
    """Map bills and charge types to the names that tenants see instead of the utilities.

    These are the names of today, even for an invoice that was sent before.
    """
    ids = sorted({charge.bill_id for charge in charges if charge.bill_id})
    stored = lookups.names(tx, account_id, ids) if ids else {}
    return {
        (bill_id, charge_type(kind)): name
        for bill_id, text in stored.items()
        for kind, name in line_names.from_text(text)
    }
