"""Payments noted by marking invoices as paid, which a bulk change has undone.

The audit log has each invoice as it was before the change.
"""

import json
from typing import NamedTuple

from sqlalchemy import and_, bindparam, func, not_, select

from prorata.domain.audit.verbs import Verb
from prorata.domain.bulk.bulk import CHANGED
from prorata.domain.bulk.undone_payments import UndonePayment, UndonePayments
from prorata.domain.bulk.verbs import BulkVerb
from prorata.domain.invoice_states import PAID
from prorata.store.bulk.bulk import BulkRow
from prorata.store.database.engine import Tx
from prorata.store.database.statements import returns, returns_one
from prorata.store.schema.bulk_tables import bulk_item
from prorata.store.schema.joins import named_by
from prorata.store.schema.tables import event, invoice, property_


class _Undone(NamedTuple):
    invoice_id: str
    is_there: bool
    before: str
    currency: str


_is_nothing, _is_credit = (event.c.before.like(f'%"paid_by_status": {value}%') for value in ("0,", "-"))
_items = bulk_item.join(
    event, and_(event.c.account_id == bulk_item.c.account_id, event.c.record_id == bulk_item.c.invoice_id)
)
_are_undone = (
    bulk_item.c.account_id == bindparam("account"),
    bulk_item.c.bulk_id == bindparam("bulk"),
    bulk_item.c.outcome == bindparam("outcome"),
    bulk_item.c.before == bindparam("paid"),
    event.c.verb == bindparam("verb"),
    event.c.actor == bindparam("actor"),
    event.c.at.between(bindparam("since"), bindparam("until")),
    not_(_is_nothing),
    not_(_is_credit),
)
_UNDONE = returns(
    _Undone,
    select(
        bulk_item.c.invoice_id,
        invoice.c.id.is_not(None).label("is_there"),
        event.c.before,
        property_.c.currency,
    )
    .select_from(_items)
    .join(property_, named_by(property_, event.c.property_id))
    .outerjoin(invoice, named_by(invoice, bulk_item.c.invoice_id))
    .where(*_are_undone)
    .order_by(bulk_item.c.number)
    .limit(bindparam("limit")),
)
_NUMBER = returns_one(select(func.count()).select_from(_items).where(*_are_undone))


def undone(tx: Tx, row: BulkRow, actor: str, *, limit: int) -> UndonePayments:
    """List the first payments that an ended bulk change has undone, up to `limit`.

    `actor` is the one under whom the audit log has the change of each invoice.
    """
    verb = Verb.of_status(BulkVerb.of_code(row.verb).status or "")
    of = {"account": row.account_id, "bulk": row.id, "outcome": CHANGED, "paid": PAID, "verb": verb, "actor": actor}
    of |= {"since": row.created_at, "until": row.ended_at or row.created_at}
    rows = tx.all(_UNDONE, **of, limit=limit)
    further = int(tx.one(_NUMBER, **of) or 0) - len(rows) if len(rows) == limit else 0
    return UndonePayments(tuple(map(_as_it_was, rows)), further)


def _as_it_was(row: _Undone) -> UndonePayment:
    was = json.loads(row.before)
    return UndonePayment(
        row.invoice_id, bool(row.is_there), was["number"], was["tenant_name"], was["paid_by_status"], row.currency
    )
