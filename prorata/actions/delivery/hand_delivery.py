"""Invoices to hand over: recording that they were delivered, so that nobody delivers them again."""

from collections.abc import Sequence

from prorata.actions.invoices import standing as invoice_standing
from prorata.actions.invoices.standing import Change
from prorata.domain.audit.verbs import Verb
from prorata.domain.mail.deliveries import HAND_OVER, HANDED_OVER, may_be_handed_over
from prorata.domain.texts import say
from prorata.errors import Conflict
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.invoices import invoices
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.properties import properties


def is_to_be(row: InvoiceRow) -> bool:
    """True if an invoice has to be handed over.

    Such an invoice was not e-mailed, or its e-mail was only saved in the outbox folder.
    """
    return may_be_handed_over(status=row.status, delivery=row.delivery, has_tenant=row.tenant_id is not None)


def to_be(tx: Tx, caller: Caller, invoice_ids: Sequence[str]) -> list[InvoiceRow]:
    """List the given invoices that have to be handed over.

    Raises `Conflict` if none of them has to be handed over.
    """
    to_hand_over = [row for row in invoices.find_many(tx, caller.account_id, list(invoice_ids)) if is_to_be(row)]
    if not to_hand_over:
        raise Conflict(say("There is nothing left to hand over here. Reload the page to see the current state."))
    return to_hand_over


def note(tx: Tx, caller: Caller, invoice_id: str) -> None:
    """Record that an invoice was handed over.

    Raises `Conflict` if it does not have to be handed over.
    """
    (seen,) = to_be(tx, caller, [invoice_id])
    properties.lock(tx, caller.account_id, seen.property_id)
    write(tx, caller, to_be(tx, caller, [invoice_id]))


def write(tx: Tx, caller: Caller, rows: Sequence[InvoiceRow]) -> None:
    """Record that these invoices of a locked property were handed over."""
    _write(tx, caller, rows, HANDED_OVER, Verb.HAND_OVER_INVOICE)


def write_back(tx: Tx, caller: Caller, rows: Sequence[InvoiceRow]) -> None:
    """Record that these invoices of a locked property have not been handed over after all."""
    _write(tx, caller, rows, HAND_OVER, Verb.TAKE_BACK_HAND_OVER)


def _write(tx: Tx, caller: Caller, rows: Sequence[InvoiceRow], delivery: str, verb: Verb) -> None:
    changes = [Change(was, was._replace(delivery=delivery, updated_at=tx.now), verb) for was in rows]
    invoice_standing.write(tx, caller, changes)
