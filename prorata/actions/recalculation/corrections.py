"""Corrections of closed months: calculated after changes, and carried by a later month.

A correction is the correct amount minus the invoiced amount, for each household and line of a closed month
(docs/decisions.md#corrections). A *placed* correction is charged on the invoices of the first open month after the
corrected one. Until it is placed, it is pending.
"""

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from prorata.actions.recalculation import disputed_corrections
from prorata.actions.recalculation.addressees import WithEmail, is_renamed
from prorata.actions.recalculation.loaded_months import LoadedMonth, without_corrections
from prorata.domain.groups import grouped
from prorata.domain.splitting.corrections import Charged, Correction, Kind, Settled, settle
from prorata.domain.splitting.invoice_sequences import StoredInvoice
from prorata.domain.splitting.month_facts import Line, MonthFacts, from_json
from prorata.domain.splitting.planned_charges import CorrectionKey as CarriedKey, LineKey
from prorata.store.audit.audit import Caller
from prorata.store.bills import bills
from prorata.store.database.engine import Tx
from prorata.store.invoices import invoices
from prorata.store.recalculation import billing_months, corrections
from prorata.store.recalculation.billing_months import MonthRow
from prorata.store.recalculation.corrections import ChargedRow, CorrectionRow, OwnRow

Key = tuple[str, str]
"""A property's id and a month."""
OpenMonths = Mapping[str, Sequence[str]]
"""The open months of properties, in order."""
CorrectionKey = tuple[str, str, str, str, str, int]
"""The key of a correction: property, month, unit, tenant, bill and line."""


class Reckoned(NamedTuple):
    """A month's recalculated corrections and sums.

    `row` is the month with its sums. Each of the `owner_amounts` is the owner's part of one line: the bill, the line,
    the cents, and True if the line is charged. The `corrections` do not yet state the month that carries them.
    """

    row: MonthRow
    owner_amounts: Sequence[tuple[str, int, int, bool]]
    corrections: Sequence[CorrectionRow]

    @property
    def is_late(self) -> bool:
        """True if a line is not charged because its bill came after the invoices.

        In a month that accepts no corrections, nothing else shows that such a line waits.
        """
        return not all(charged for *_, charged in self.owner_amounts)


def by_key(rows: Iterable[CorrectionRow]) -> dict[Key, list[CorrectionRow]]:
    """Map (property, month) to the corrections of that month."""
    return grouped(((row.property_id, row.month), row) for row in rows)


def reckon(
    tx: Tx, account_id: str, months: Sequence[LoadedMonth], kept: Mapping[Key, Sequence[CorrectionRow]],
    open_months: OpenMonths, *, automatic: bool,
) -> dict[Key, Reckoned]:  # fmt: skip
    """Calculate the corrections of those months that have any.

    `kept` are the corrections stored before. With `automatic`, corrections are charged on later invoices if there is
    a month that can carry them. Nothing is written. This takes two SQL statements for any number of months.
    """
    looked_at = [month._replace(now=without_corrections(month.now)) for month in months if month.row.settles]
    bill_ids = sorted({line.bill_id for month in looked_at for line in month.lines})
    elsewhere = _elsewhere(corrections.issued_elsewhere(tx, account_id, bill_ids))
    asked: list[tuple[LoadedMonth, MonthFacts | None]] = []
    for month in looked_at:
        key = month.row.key
        closed_with = None if month.row.snapshot is None else from_json(month.row.snapshot)
        is_otherwise = closed_with is not None and _is_otherwise(month.now, closed_with)
        if kept.get(key) or elsewhere.get(key) or is_otherwise:
            asked.append((month, closed_with))
    if not asked:
        return {}
    ids = sorted({month.row.property_id for month, _ in asked})
    closed = sorted({month.row.month for month, _ in asked if month.row.is_closed})
    own = _own(corrections.own_charges(tx, account_id, ids, closed))
    reckonings = {}
    for month, closed_with in asked:
        key = month.row.key
        lines = () if closed_with is None else closed_with.lines
        has_month = carrier_of(month.row.month, open_months.get(month.row.property_id, ())) is not None
        reckonings[key] = _reckoned(
            month, lines, own.get(key, {}), elsewhere[key], kept.get(key, ()), automatic=automatic, has_month=has_month
        )
    return reckonings


def _is_otherwise(now: MonthFacts, kept: MonthFacts) -> bool:
    """True if a closed month's current facts differ from those at closing.

    Corrections of earlier months that the month carries are not compared, but a unit that is in its facts only
    because of such a correction counts as a difference.
    """
    return now != kept._replace(corrections=())


def _elsewhere(rows: Iterable[ChargedRow]) -> dict[Key, list[Charged]]:
    return grouped(
        (
            (row.property_id, row.month),
            Charged(row.unit_id, row.tenant_id, bool(row.is_cancelled), row.bill_id, row.line, row.amount),
        )
        for row in rows
    )


def _own(rows: Iterable[OwnRow]) -> dict[Key, dict[str, list[StoredInvoice]]]:
    """Build the stored invoices of closed months by unit, with their charges.

    The charges for the month's own lines and the corrections of other months are kept apart.
    """
    of_invoices: dict[tuple[str, str, str, int], list[OwnRow]] = defaultdict(list)
    for row in rows:
        of_invoices[row.property_id, row.month, row.unit_id, row.sequence].append(row)
    own_charges: dict[Key, dict[str, list[StoredInvoice]]] = defaultdict(lambda: defaultdict(list))
    for (property_id, month, unit_id, sequence), its in of_invoices.items():
        charged: dict[LineKey, int] = {}
        corrected: dict[CarriedKey, int] = {}
        first = its[0]
        is_held = first.entries > 0
        for own in its:
            if own.amount is None:
                continue
            if own.bill_id is None or own.line is None:
                is_held = True
            elif own.corrects_month is None:
                charged[own.bill_id, own.line] = own.amount
            else:
                corrected[own.bill_id, own.line, own.corrects_month, own.corrects_tenant] = own.amount
        own_charges[property_id, month][unit_id].append(
            StoredInvoice(sequence, first.status, first.tenant_id, bool(first.issued), is_held, charged, corrected)
        )
    return own_charges


def _reckoned(
    month: LoadedMonth, kept_lines: Sequence[Line], own: Mapping[str, Sequence[StoredInvoice]],
    elsewhere: Sequence[Charged], kept: Sequence[CorrectionRow], *, automatic: bool, has_month: bool,
) -> Reckoned:  # fmt: skip
    kind = Kind.CLOSED if month.row.is_closed else Kind.OPEN
    if month.row.is_closed and not month.property.bills_month(month.row.month):
        kind = Kind.HISTORY
    charged = {(line.bill_id, line.number) for line in kept_lines}
    late = {(line.bill_id, line.number) for line in month.now.lines} - charged
    known = month.property.tenants
    own = {unit_id: [_of_known(invoice, known) for invoice in its] for unit_id, its in own.items()}
    elsewhere = [_of_known(charge, known) for charge in elsewhere]
    before = [_decided_of_known(as_correction(row), known) for row in kept]
    settled = settle(
        month.now, kind, own, elsewhere, before, late, WithEmail(known), automatic=automatic, has_month=has_month
    )
    rows = [_row(month.row, correction) for correction in settled.corrections]
    if kind is Kind.OPEN:
        return Reckoned(month.row, (), rows)
    owner = list(_owner_amounts(month, charged | settled.begun(), settled, kind))
    sums = sum(cents for _, _, cents, _ in owner)
    return Reckoned(month.row._replace(owner_amount=sums), owner, rows)


def _owner_amounts(
    month: LoadedMonth, charged: set[LineKey], settled: Settled, kind: Kind
) -> Iterable[tuple[str, int, int, bool]]:
    """Yield the owner's part of each line, and True if the line is charged.

    The owner's part, in cents, is what remains of a line after subtracting the charges and all corrections, even
    pending ones.
    """
    waiting = settled.waiting()
    for line in month.now.lines:
        key = line.bill_id, line.number
        is_charged = key in charged or (kind is Kind.CLOSED and key not in waiting)
        owner = line.amount - settled.own.get(key, 0) - settled.needed.get(key, 0) if is_charged else 0
        yield *key, owner, is_charged


def as_correction(row: CorrectionRow) -> Correction:
    """Convert a stored correction to the domain's `Correction`."""
    return Correction(
        row.month, row.unit_id, row.tenant_id, row.bill_id, row.line, row.utility_type, row.right_amount,
        row.own_amount, row.elsewhere_amount, row.cancelled_amount, row.placed_amount, row.again_amount,
        row.left_amount, row.description, tuple(row.household.split()), bool(row.given_up),
    )  # fmt: skip


_Named = TypeVar("_Named", StoredInvoice, Charged)


def _of_known(charged: _Named, known: Container[str]) -> _Named:
    """Set a charge's tenant to None if that tenant was removed without trace."""
    return charged if charged.tenant_id in known else charged._replace(tenant_id=None)


def _decided_of_known(correction: Correction, known: Container[str]) -> Correction:
    return correction._replace(household=tuple(tenant_id for tenant_id in correction.household if tenant_id in known))


def _row(month: MonthRow, correction: Correction) -> CorrectionRow:
    return CorrectionRow(
        month.account_id, month.property_id, correction.month, correction.unit_id, correction.tenant_id,
        correction.bill_id, correction.line, correction.utility_type, correction.right, correction.own,
        correction.elsewhere, correction.cancelled, correction.placed, correction.again, correction.left,
        correction.waiting, correction.to_charge, correction.description, None, " ".join(correction.household),
        correction.is_given_up,
    )  # fmt: skip


def open_months_of(tx: Tx, account_id: str, months: Iterable[LoadedMonth]) -> OpenMonths:
    """Map the properties of these months to all of their open months, in order."""
    return open_months_in(tx, account_id, sorted({month.row.property_id for month in months}))


def open_months_in(tx: Tx, account_id: str, property_ids: list[str]) -> OpenMonths:
    """Map these properties to their open months, in order."""
    states = corrections.month_states(tx, account_id, property_ids)
    return grouped((state.property_id, state.month) for state in states if not state.is_closed)


def carried(rows: Iterable[CorrectionRow], open_months: OpenMonths) -> list[CorrectionRow]:
    """Return the corrections, each with the month that carries it, if any.

    No month carries a correction without an amount to charge.
    """
    return [
        row._replace(
            carrier=carrier_of(row.month, open_months.get(row.property_id, ())) if row.to_charge_amount else None
        )
        for row in rows
    ]


def first_open_after(month: str, open_months: Sequence[str]) -> str | None:
    """Return the first of the open months that follow a month, if any."""
    return next((open_month for open_month in open_months if open_month > month), None)


def goes_to(row: CorrectionRow, open_months: Sequence[str]) -> str | None:
    """Return the month whose invoices carry a correction, or would if it were placed."""
    if row.carrier:
        return row.carrier
    return first_open_after(row.month, open_months) if row.waiting_amount or row.to_charge_amount else None


def carrier_of(month: str, open_months: Sequence[str]) -> str | None:
    """Return the month whose invoices carry the corrections of `month`.

    It is the first open month after `month`. If there is none, it is `month` itself, if that is open.
    """
    return first_open_after(month, open_months) or (month if month in open_months else None)


def bring_up_to_date(
    tx: Tx, caller: Caller, months: Sequence[LoadedMonth], *, automatic: bool
) -> tuple[set[Key], set[Key]]:
    """Recalculate the corrections of locked months, and assign them to later months.

    Return two sets of months. The first contains the months whose carried corrections have changed. The second
    contains months that were not given, but whose corrections can now be carried or can no longer be carried.
    """
    account_id = caller.account_id
    ids, named = sorted({month.row.property_id for month in months}), sorted({month.row.month for month in months})
    kept = by_key(corrections.of_months_or_unsettled(tx, account_id, ids, named))
    open_months = open_months_of(tx, account_id, months)
    reckoned = reckon(tx, account_id, months, kept, open_months, automatic=automatic)
    unasked = [row for key, rows in kept.items() if key not in reckoned for row in rows]
    others = [row for row in unasked if row.to_charge_amount]
    stored = {row.key: row for row in (*others, *(row for key in reckoned for row in kept.get(key, ())))}
    wanted = [row for reckoning in reckoned.values() for row in reckoning.corrections]
    after = carried([*wanted, *others], open_months)
    touched = _written(tx, caller, stored, after)
    waits = {row.key[:2] for row in after if is_waiting(row)} | {
        key for key, reckoning in reckoned.items() if reckoning.is_late
    }
    waits |= _renamed(tx, account_id, months)
    _note_months(tx, account_id, months, reckoned, waits)
    moved = {row.key[:2] for row in after[len(wanted) :] if is_waiting(row) != is_waiting(stored[row.key])}
    if automatic:  # corrections that waited for a month have one now
        moved |= {
            row.key[:2]
            for row in unasked
            if row.waiting_amount and carrier_of(row.month, open_months.get(row.property_id, ()))
        }
    return touched, moved - {month.row.key for month in months}


def _renamed(tx: Tx, account_id: str, months: Sequence[LoadedMonth]) -> set[Key]:
    """Find the closed months with a never-sent draft whose tenant details are outdated.

    The tenant's name or e-mail address was changed after the draft was made.
    """
    properties = {month.row.key: month.property for month in months if month.row.is_closed and month.row.draft}
    ids, named = sorted({key[0] for key in properties}), sorted({key[1] for key in properties})
    drafts = invoices.unsent_and_further(tx, account_id, ids, named)
    return {
        key
        for draft in drafts
        if (key := (draft.property_id, draft.month)) in properties and is_renamed(properties[key], draft)
    }


def _written(
    tx: Tx, caller: Caller, stored: Mapping[CorrectionKey, CorrectionRow], after: Sequence[CorrectionRow]
) -> set[Key]:
    left = dict(stored)
    new, changed, touched = [], [], set[Key]()
    for row in after:
        was = left.pop(row.key, None)
        if was is None:
            new.append(row)
        elif was != row:
            changed.append(row)
        else:
            continue
        touched |= {
            (correction.property_id, correction.carrier)
            for correction in (was, row)
            if correction and correction.carrier
        }
    touched |= {(correction.property_id, correction.carrier) for correction in left.values() if correction.carrier}
    disputed_corrections.look_again(tx, caller, bills=[row.bill_id for row in (*left.values(), *new, *changed)])
    corrections.remove_many(tx, [*left.values(), *changed])  # adding is faster than changing
    corrections.add_many(tx, [*new, *changed])
    return touched


def _note_months(
    tx: Tx, account_id: str, months: Sequence[LoadedMonth], reckoned: Mapping[Key, Reckoned], waits: set[Key]
) -> None:
    changed, owner = [], []
    for month in months:
        key = month.row.key
        if not (month.row.settles and month.row.is_closed):
            continue
        reckoning = reckoned.get(key)
        row = (reckoning.row if reckoning else month.row)._replace(pending=key in waits)
        if row != month.row:
            changed.append(row)
        had = {(line.bill_id, line.number): (line.owner_amount, bool(line.charged)) for line in month.lines}
        owner += [part for part in (reckoning.owner_amounts if reckoning else ()) if had.get(part[:2]) != part[2:]]
    billing_months.save_counts(tx, changed)
    bills.set_owner_amounts(tx, account_id, owner)


def is_waiting(row: CorrectionRow) -> bool:
    """True if some of a correction's amount is pending, or no month carries it yet."""
    return bool(row.waiting_amount or (row.to_charge_amount and row.carrier is None))
