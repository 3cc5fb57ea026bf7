"""Invoices that a person takes to their tenants: noted once that is done, so that nobody is asked for it again."""

from collections.abc import Sequence

from prorata.actions.invoices import standing as invoice_standing
from prorata.actions.invoices.standing import Change
from prorata.actions.limits import MOST_HANDED_OVER
from prorata.domain.audit.verbs import Verb
from prorata.domain.bulk.verbs import BulkVerb
from prorata.domain.mail.deliveries import HANDED_OVER, TO_HAND_OVER, need_of
from prorata.domain.texts import Count, say
from prorata.errors import Conflict
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller, Together
from prorata.store.bulk import bulk
from prorata.store.database.engine import Tx
from prorata.store.invoices import invoices
from prorata.store.properties import properties


def to_be(tx: Tx, caller: Caller, invoice_ids: Sequence[str]) -> list[invoices.InvoiceRow]:
    """Those of these invoices that are to be handed over. Raises `Conflict` for more than `MOST_HANDED_OVER`, and where
    there is none.
    """
    _refuse_too_many(invoice_ids)
    found = [row for row in invoices.find_many(tx, caller.account_id, list(invoice_ids)) if _is_to_be(row)]
    if not found:
        raise Conflict(say("Nothing is to be handed over here any more. Load the page again to see how it stands."))
    return found


def note(tx: Tx, caller: Caller, invoice_ids: Sequence[str]) -> int:
    """Note that invoices were handed over that are to be; returns how many. Others stay as they are. Raises `Conflict`
    as `to_be` does.
    """
    _refuse_too_many(invoice_ids)
    places = bulk.places(tx, caller.account_id, list(invoice_ids))
    properties.lock_many(tx, caller.account_id, sorted({place.property_id for place in places.values()}))
    before = to_be(tx, caller, list(places))
    if len(before) > 1:
        (property_id, *others) = {row.property_id for row in before}
        noted = Together(BulkVerb.HAND_OVER, len(before), None if others else property_id)
        caller = audit.record_together(tx, caller, tx.new_id("bulk"), noted)
    handed = [row._replace(delivery=HANDED_OVER, updated_at=tx.now) for row in before]
    changes = [Change(was, after, Verb.HAND_OVER_INVOICE) for was, after in zip(before, handed, strict=True)]
    invoice_standing.write(tx, caller, changes)
    return len(changes)


def _refuse_too_many(invoice_ids: Sequence[str]) -> None:
    if len(invoice_ids) > MOST_HANDED_OVER:
        raise Conflict(
            say(
                "These are more than {most} invoices. Choose fewer, by property or by month.",
                most=Count(MOST_HANDED_OVER),
            )
        )


def _is_to_be(row: invoices.InvoiceRow) -> bool:
    need = need_of(status=row.status, delivery=row.delivery, has_tenant=row.tenant_id is not None)
    return need == TO_HAND_OVER
