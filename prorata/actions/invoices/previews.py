"""Previews of changes to invoices (docs/decisions.md#previews).

The changes are made in a transaction, and undone.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import timedelta
from typing import NamedTuple, NoReturn

from prorata.actions.accounts import access
from prorata.actions.limits import MOST_PROPERTIES_PREVIEWED, MOST_SECONDS_OF_PREVIEW
from prorata.actions.recalculation.corrections import goes_to
from prorata.domain.groups import grouped
from prorata.domain.invoices.previews import (
    Preview,
    Seen,
    SeenCharge,
    SeenCorrection,
    SeenInvoice,
    SeenMonth,
    compared,
)
from prorata.errors import Conflict, NotFound
from prorata.store.audit.audit import Caller
from prorata.store.bills import lookups as bill_lookups
from prorata.store.database.engine import Tx
from prorata.store.invoices import invoices
from prorata.store.invoices.invoices import ChargeRow, InvoiceRow
from prorata.store.properties import properties, units
from prorata.store.properties.properties import PropertyRow
from prorata.store.recalculation import billing_months, corrections
from prorata.store.recalculation.billing_months import MonthRow
from prorata.store.recalculation.corrections import CorrectionRow
from prorata.store.splitting import share_rules

Touches = Callable[[Tx, Caller, str], Sequence[str]]
"""A function that returns the properties whose invoices a change may affect.

It takes the id of the changed record. Raises `NotFound` if there is no such record.
"""


class _Months(NamedTuple):
    """All months and corrections of some properties as stored at one time."""

    months: Sequence[MonthRow]
    corrections: Sequence[CorrectionRow]

    @property
    def compared(self) -> Iterator[tuple[tuple[str, str], MonthRow | CorrectionRow]]:
        """Yield all months and corrections with their property and month, for comparing.

        The times at which the months were calculated are left out.
        """
        yield from ((row.key, row._replace(computed_at="")) for row in self.months)
        yield from ((row.key[:2], row) for row in self.corrections)


class _Stored(NamedTuple):
    """Everything that a preview compares, as stored before or after the previewed changes.

    `months` and `corrections` are complete. `invoices` are only those of months that the changes may affect, and
    `charges` only those of changed invoices.
    """

    months: Sequence[MonthRow]
    corrections: Sequence[CorrectionRow]
    invoices: Sequence[InvoiceRow]
    units: dict[str, str]
    tenants: dict[str, str]
    charges: Sequence[ChargeRow] = ()


class TakesTooLong(Conflict):
    """Raised if a preview would block other writes for too long."""

    def __init__(self) -> None:
        super().__init__(
            "These changes take too long to preview. Preview fewer at once, or make them without a preview."
        )


class _Undone(Exception):
    """Raised to undo a preview's changes; it carries their result and the affected months."""

    def __init__(self, after: _Stored, months: list[str]) -> None:
        super().__init__("a preview has ended")
        self.after = after
        self.months = months


def of_property(tx: Tx, caller: Caller, property_id: str) -> list[str]:
    """Return the id of a property, for a change of the property itself."""
    return [access.property_(tx, caller, property_id).id]


def of_unit(tx: Tx, caller: Caller, unit_id: str) -> list[str]:
    """Return the id of the property of a unit."""
    return [access.unit(tx, caller, unit_id).property_id]


def of_tenant(tx: Tx, caller: Caller, tenant_id: str) -> list[str]:
    """Return the id of the property of a tenant."""
    return [access.tenant(tx, caller, tenant_id).property_id]


def of_rule(tx: Tx, caller: Caller, rule_id: str) -> list[str]:
    """Return the id of the property of a share rule."""
    return [access.rule(tx, caller, rule_id).property_id]


def of_invoice(tx: Tx, caller: Caller, invoice_id: str) -> list[str]:
    """Return the id of the property of an invoice."""
    return [access.invoice(tx, caller, invoice_id).property_id]


def of_bill(tx: Tx, caller: Caller, bill_id: str) -> list[str]:
    """Return the id of the property of a bill."""
    return [access.bill(tx, caller, bill_id).property_id]


def of_account(tx: Tx, caller: Caller, _record_id: str) -> list[str]:
    """Return the ids of all properties, for a file that may name any of them.

    Raises `TakesTooLong` if there are too many.
    """
    rows = properties.page(tx, caller.account_id, limit=MOST_PROPERTIES_PREVIEWED + 1, offset=0)
    if len(rows) > MOST_PROPERTIES_PREVIEWED:
        raise TakesTooLong
    return [row.id for row in rows]


def of_split_method(tx: Tx, caller: Caller, method_id: str) -> list[str]:
    """Return the ids of the properties whose rules use a blend."""
    return share_rules.properties_using(tx, caller.account_id, method_id)


def touched(tx: Tx, caller: Caller, records: Iterable[tuple[Touches, str]]) -> list[str]:
    """Return the ids of the properties that changes of these records affect.

    Each record comes with the function that finds its properties. A record that no longer exists is passed over.
    """
    property_ids: set[str] = set()
    for touches, record_id in records:
        try:
            property_ids.update(touches(tx, caller, record_id))
        except NotFound:  # the change itself will be refused for that
            continue
    return sorted(property_ids)


def houses(tx: Tx, caller: Caller, property_ids: Sequence[str]) -> dict[str, PropertyRow]:
    """Map property ids to the properties, for displaying a preview."""
    return {row.id: row for row in properties.find_many(tx, caller.account_id, list(property_ids))}


def preview(tx: Tx, caller: Caller, property_ids: Sequence[str], changes: Iterable[Callable[[], object]]) -> Preview:
    """Preview the effect of `changes` on these properties' invoices.

    The properties are locked first, so that nobody else changes them during the preview. Each change is made with all
    its effects; then all changes are undone. The preview adds a fixed number of SQL statements to those of the
    changes.

    Raises everything that the changes raise, and `TakesTooLong` if they would block other writes for too long.
    """
    of = caller.account_id
    ids = [row.id for row in properties.lock_many(tx, of, sorted(property_ids))]
    was, since = _Months(billing_months.without_snapshots(tx, of, ids), corrections.of_properties(tx, of, ids)), tx.now
    until = tx.by_now() + timedelta(seconds=MOST_SECONDS_OF_PREVIEW)
    try:
        with tx.savepoint():
            for change in changes:
                change()
                tx.finish()
                if tx.by_now() > until:
                    raise TakesTooLong
            _undo(*_after(tx, of, ids, was, since))
    except _Undone as undone:
        after, months = undone.after, undone.months
    before = _stored(tx, of, ids, was, months)
    written = {row.id for row in after.invoices if row.updated_at >= since}
    changed = written | ({row.id for row in before.invoices} - {row.id for row in after.invoices})
    before = before._replace(charges=invoices.charges(tx, of, sorted(changed)))
    seen = _seen(before)
    new = sorted(_bills(after) - seen.bills)
    there = seen.bills.union(bill_lookups.those_there(tx, of, new))
    return compared(seen._replace(bills=there), _seen(after))


def _bills(stored: _Stored) -> frozenset[str]:
    """Return the ids of the bills behind the stored charges and corrections."""
    charged = {row.bill_id for row in stored.charges if row.bill_id}
    return frozenset(charged | {row.bill_id for row in stored.corrections})


def _undo(after: _Stored, months: list[str]) -> NoReturn:
    raise _Undone(after, months)


def _after(tx: Tx, account_id: str, ids: list[str], before: _Months, since: str) -> tuple[_Stored, list[str]]:
    """Load the state after changes made `since` a time, and the months that may differ."""
    there = _Months(
        billing_months.without_snapshots(tx, account_id, ids), corrections.of_properties(tx, account_id, ids)
    )
    differ = {key for key, _ in set(before.compared) ^ set(there.compared)}
    differ.update(invoices.changed_months(tx, account_id, ids, since))
    months = sorted({month for _, month in differ})
    after = _stored(tx, account_id, ids, there, months)
    written = [row.id for row in after.invoices if row.updated_at >= since]
    return after._replace(charges=invoices.charges(tx, account_id, written)), months


def _stored(tx: Tx, account_id: str, ids: list[str], there: _Months, months: list[str]) -> _Stored:
    return _Stored(
        *there,
        invoices.of_months(tx, account_id, ids, months),
        {row.id: row.label for row in units.of_properties(tx, account_id, ids)},
        {row.id: row.name for row in units.tenants_of_properties(tx, account_id, ids)},
    )


def _seen(stored: _Stored) -> Seen:
    """Convert a stored state to the form in which a preview compares two states."""
    charges = grouped((row.invoice_id, _charge(row)) for row in stored.charges)
    seen = [_invoice(row, charges[row.id]) for row in stored.invoices]
    months = [
        SeenMonth(row.property_id, row.month, row.is_closed, bool(row.pending), row.owner_amount)
        for row in stored.months
    ]
    open_months = grouped(sorted(month.key for month in months if not month.is_closed))
    return Seen(
        {month.key: month for month in months},
        {invoice.place: invoice for invoice in seen},
        {
            correction.key: correction
            for correction in (_correction(row, open_months[row.property_id]) for row in stored.corrections)
        },
        stored.units,
        stored.tenants,
        _bills(stored),
    )


def _invoice(row: InvoiceRow, charges: Sequence[SeenCharge]) -> SeenInvoice:
    return SeenInvoice(
        row.id, row.property_id, row.month, row.unit_id, row.sequence, row.number, row.replaces_number, row.status,
        row.invoice_date, row.due_date, row.payment_status, row.tenant_id, row.tenant_name, row.total,
        row.paid_amount, tuple(sorted(charges, key=lambda charge: charge.key)),
    )  # fmt: skip


def _charge(row: ChargeRow) -> SeenCharge:
    return SeenCharge(
        None if row.bill_id else row.id, row.bill_id, row.line, row.corrects_month, row.corrects_tenant,
        row.utility_type, row.amount, row.description,
    )  # fmt: skip


def _correction(row: CorrectionRow, open_months: Sequence[str]) -> SeenCorrection:
    return SeenCorrection(
        row.property_id, row.month, row.unit_id, row.tenant_id, row.bill_id, row.line, row.utility_type,
        row.right_amount, row.issued_amount, row.waiting_amount, row.to_charge_amount, row.left_amount,
        goes_to(row, open_months), row.description,
    )  # fmt: skip
