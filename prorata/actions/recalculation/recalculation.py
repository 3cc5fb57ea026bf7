"""Recalculation of property-months after their inputs change.

The caller must have locked the properties. An open month is computed from current facts at once. A closed month's
invoices stay unchanged, and the differences become corrections. See docs/decisions.md#closed-months.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import partial

from prorata.actions.accounts import accounts as account_actions
from prorata.actions.limits import MOST_OPEN_MONTHS
from prorata.actions.recalculation.addressees import address_now, further_tenants, is_addressed
from prorata.actions.recalculation.corrections import bring_up_to_date
from prorata.actions.recalculation.loaded_months import LoadedMonth, basis, basis_of_now, load, load_bare, with_carried
from prorata.actions.recalculation.month_writer import compute
from prorata.domain.accounts.settings import PLACE
from prorata.domain.groups import grouped, in_portions
from prorata.domain.invoice_states import DRAFT
from prorata.domain.problems import shown
from prorata.domain.splitting.month_facts import from_json
from prorata.domain.splitting.rights import regrouped, rights
from prorata.domain.texts import say
from prorata.errors import Conflict
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.invoices import invoices
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.properties.properties import PropertyRow
from prorata.store.recalculation import billing_months
from prorata.store.recalculation.billing_months import MonthRow

_NAME = "recalculation"
_PROPERTIES_AT_ONCE = 500
_INVOICES_AT_ONCE = 1_000
"""The number of stored invoices that are in memory at once, with their charges.

This keeps a worker under its 120 MB.
"""


class _Asked:
    """A transaction's requests to recalculate months of locked properties.

    Several changes in one transaction may need the same month, which is recalculated only once.
    """

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._whole: dict[str, PropertyRow] = {}
        self._parts: dict[str, PropertyRow] = {}
        self._months: set[str] = set()

    def add(self, properties: Sequence[PropertyRow], months: Sequence[str] | None) -> None:
        """Request all months of these properties, or only those in `months`."""
        (self._whole if months is None else self._parts).update({row.id: row for row in properties})
        self._months.update(months or ())

    def write(self, tx: Tx) -> None:
        """Recalculate the collected months.

        Properties of which all months were requested come first. For the other properties, one list of months is
        used, which combines the months requested for any of them. Recalculating a month that was not requested
        changes nothing.
        """
        parts = [row for key, row in self._parts.items() if key not in self._whole]
        _recalculate(tx, self._caller, list(self._whole.values()), None)
        _recalculate(tx, self._caller, parts, sorted(self._months))


def recalculate(tx: Tx, caller: Caller, properties: Sequence[PropertyRow], months: Sequence[str] | None = None) -> None:
    """Request the recalculation of locked properties, in all months or in `months`.

    Open months are computed anew; for closed months, corrections are calculated. This happens once, before the commit
    or before invoices are read (`Tx.catch_up`).
    """
    tx.before_the_end(f"{_NAME} {caller.account_id}", partial(_Asked, caller)).add(properties, months)


def _recalculate(tx: Tx, caller: Caller, properties: Sequence[PropertyRow], months: Sequence[str] | None) -> None:
    if not properties:
        return
    account = account_actions.the_account(tx, caller)
    today = account_actions.today_in(account, tx)
    for start in range(0, len(properties), _PROPERTIES_AT_ONCE):
        some = properties[start : start + _PROPERTIES_AT_ONCE]
        loaded = load_bare(tx, caller.account_id, some, months)
        _mark(tx, caller, loaded)
        automatic = account.corrections == PLACE
        carrying, waiting = bring_up_to_date(tx, caller, loaded, automatic=automatic)
        if waiting:
            others = load_bare(tx, caller.account_id, some, sorted({month for _, month in waiting}))
            bring_up_to_date(tx, caller, others, automatic=automatic)
        open_months = [month for month in loaded if not month.row.is_closed]
        if further := carrying - {month.row.key for month in loaded}:
            named = load_bare(tx, caller.account_id, some, sorted({month for _, month in further}))
            open_months += [month for month in named if not month.row.is_closed and month.row.key in further]
        loaded = with_carried(tx, caller.account_id, open_months)
        for part in in_portions(loaded, lambda month: month.row.invoices, _INVOICES_AT_ONCE):
            compute(tx, caller.account_id, [basis_of_now(month) for month in part], today)


def compute_one(tx: Tx, caller: Caller, locked: PropertyRow, month: str, today: date) -> None:
    """Recompute one month of a locked property, at once.

    An open month is computed from current facts, a closed one from those at closing.
    """
    (loaded,) = load(tx, caller.account_id, [locked], [month])
    compute(tx, caller.account_id, [basis(loaded)], today)


def _mark(tx: Tx, caller: Caller, loaded: Sequence[LoadedMonth]) -> None:
    closed = [month for month in loaded if month.row.is_closed and not month.row.settles]
    unsent = _unsent_and_further(tx, caller.account_id, [month.row for month in closed])
    billing_months.save_many(tx, list(_pending_changed(closed, unsent)))


def would_change(month: LoadedMonth, stored: Sequence[InvoiceRow]) -> bool:
    """True if current facts would change a closed month that accepts no corrections.

    This is so if somebody would bear a different amount than at closing, or if one of the month's never-sent drafts
    would go to somebody else. `stored` are these drafts, and the invoices of further households.
    """
    assert month.row.snapshot is not None, "only a closed month waits"
    kept = from_json(month.row.snapshot)
    first_closed, as_before = month.row.first_closed_at, kept.is_former
    now = month.property.as_before(month.now, first_closed) if as_before else month.now
    beside = further_tenants(stored)
    for draft in stored:
        if draft.status != DRAFT or draft.issued:
            continue
        address = address_now(month.property, draft, first_closed, beside.get(draft.unit_id, ()), as_before=as_before)
        if not is_addressed(draft, address):
            return True
    return now != kept and (becomes := rights(now)) != regrouped(rights(kept), becomes)


def _unsent_and_further(tx: Tx, account_id: str, closed: Sequence[MonthRow]) -> dict[tuple[str, str], list[InvoiceRow]]:
    """Map closed property-months to their never-sent drafts, and further households' invoices.

    Only these households' invoices for the drafts' units are included.
    """
    keys = [(row.property_id, row.month) for row in closed if row.draft]
    properties, months = sorted({key[0] for key in keys}), sorted({key[1] for key in keys})
    drafts = invoices.unsent_and_further(tx, account_id, properties, months)
    return grouped(((invoice.property_id, invoice.month), invoice) for invoice in drafts)


def _pending_changed(
    closed: Sequence[LoadedMonth], unsent: Mapping[tuple[str, str], Sequence[InvoiceRow]]
) -> Iterator[MonthRow]:
    for month in closed:
        row = month.row
        if row.pending != (pending := would_change(month, unsent.get((row.property_id, row.month), ()))):
            yield row._replace(pending=pending)


def start(tx: Tx, caller: Caller, properties: Sequence[PropertyRow], keys: Sequence[tuple[str, str]]) -> None:
    """Create those of these property-months that are missing, as open months.

    The properties must be locked. Raises `Conflict` if a property would have more open months than
    `MOST_OPEN_MONTHS`.
    """
    billing_months.start_many(tx, caller.account_id, keys)
    names = {row.id: row.name for row in properties}
    for property_id, number in billing_months.open_counts(tx, caller.account_id, sorted({key[0] for key in keys})):
        if number > MOST_OPEN_MONTHS:
            raise Conflict(
                say(
                    "The property “{property_id}” would have {number} open months, but the maximum is {most}. Send "
                    "the invoices for its oldest months, or choose a later first month to bill.",
                    property_id=shown(names[property_id]),
                    number=number,
                    most=MOST_OPEN_MONTHS,
                )
            )
