"""Bulk changes that record that paper invoices were handed over, or undo such a record."""

from collections.abc import Callable, Sequence

from prorata.actions.accounts import access
from prorata.actions.delivery import hand_delivery
from prorata.domain.bulk.bulk import CHANGED, REFUSED, Question, ask_hand_over, fingerprint
from prorata.domain.invoice_states import UNSENT
from prorata.domain.locale_forms import Forms
from prorata.domain.mail.deliveries import HANDED_OVER
from prorata.domain.texts import say
from prorata.errors import NotFound
from prorata.store.audit.audit import Caller
from prorata.store.bulk import bulk as stored
from prorata.store.bulk.bulk import ItemRow
from prorata.store.database.engine import Tx
from prorata.store.invoices import invoices
from prorata.store.invoices.invoices import InvoiceRow

_NOT_TO_BE = say("It no longer needs to be handed over.")
_CHANGED_SINCE = say("It has since been sent another way, or set back to draft.")
_Write = Callable[[Tx, Caller, Sequence[InvoiceRow]], None]


def preview(tx: Tx, caller: Caller, ids: Sequence[str], write: Forms) -> Question:
    """Build the confirmation for recording that these invoices were handed over.

    Raises `Conflict` if no invoice has to be handed over.
    """
    rows = hand_delivery.to_be(tx, caller, ids)
    return ask_hand_over(len(rows), of=len(ids), seen=fingerprint((row.id, row.total) for row in rows), write=write)


def preview_of_change(tx: Tx, caller: Caller, bulk_id: str, write: Forms) -> tuple[list[str], Question]:
    """Find the invoices of a bulk change to hand over; build the confirmation.

    Raises `NotFound` if there is no such bulk change, and everything that `preview` raises.
    """
    row = access.bulk_change(tx, caller, bulk_id)
    items = stored.of_outcome(tx, row.account_id, row.id, CHANGED)
    ids = [invoice.id for invoice in hand_delivery.to_be(tx, caller, [item.invoice_id for item in items])]
    return ids, preview(tx, caller, ids, write)


def wanted(tx: Tx, caller: Caller, ids: Sequence[str]) -> list[tuple[str, str]]:
    """List the given invoices that have to be handed over, each with its status.

    The status does not change. Raises `Conflict` if none of them has to be handed over.
    """
    return [(row.id, row.status) for row in hand_delivery.to_be(tx, caller, ids)]


def noted(tx: Tx, caller: Caller, items: Sequence[ItemRow]) -> list[ItemRow]:
    """Record that invoices of one locked property were handed over; return each item's outcome."""
    return _written(tx, caller, items, hand_delivery.is_to_be, _NOT_TO_BE, hand_delivery.write)


def taken_back(tx: Tx, caller: Caller, items: Sequence[ItemRow]) -> list[ItemRow]:
    """Undo the record that invoices of a locked property were handed over; return each outcome."""
    return _written(tx, caller, items, _is_noted, _CHANGED_SINCE, hand_delivery.write_back)


def _is_noted(row: InvoiceRow) -> bool:
    return row.delivery == HANDED_OVER and row.status not in UNSENT  # a draft keeps what was noted until it is sent


def _written(
    tx: Tx, caller: Caller, items: Sequence[ItemRow], fits: Callable[[InvoiceRow], bool], why_not: str, write: _Write
) -> list[ItemRow]:
    rows = {row.id: row for row in invoices.find_many(tx, caller.account_id, [item.invoice_id for item in items])}
    write(tx, caller, [row for row in rows.values() if fits(row)])
    return [_outcome(item, rows.get(item.invoice_id), fits, why_not) for item in items]


def _outcome(item: ItemRow, row: InvoiceRow | None, fits: Callable[[InvoiceRow], bool], why_not: str) -> ItemRow:
    if row is None:
        return item._replace(outcome=REFUSED, why=NotFound("invoice").message)
    if not fits(row):
        return item._replace(outcome=REFUSED, why=why_not, before=row.status)
    return item._replace(outcome=CHANGED, status=row.status, before=row.status)
