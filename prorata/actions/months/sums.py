"""The sums of a property-month's bills, divided among tenants, corrections and owner."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from prorata.actions.recalculation.loaded_months import LoadedMonth
from prorata.domain.groups import added_up, grouped
from prorata.domain.invoice_states import CANCELLED
from prorata.domain.splitting.planned_charges import line_type
from prorata.store.bills.bills import BilledLine
from prorata.store.database.engine import Tx
from prorata.store.months import reviews as month_reviews
from prorata.store.months.reviews import ReviewedInvoice
from prorata.store.recalculation import corrections
from prorata.store.recalculation.corrections import CorrectionRow

MonthKey = tuple[str, str]
"""A property's id and a month."""


class UtilityTotal(NamedTuple):
    """The amount billed for one utility type, in cents, and who bears it.

    Unbilled lines without a type are summed together. `tenants`, `corrections`, `vacant` and `owner` sum to `amount`,
    except in a month of history, in which nobody is charged.
    """

    utility_type: str | None
    amount: int
    tenants: int
    corrections: int
    vacant: int
    owner: int


class MonthSums(NamedTuple):
    """The sums of a month, in cents: its bills, and who bears them.

    `billed` is the amount on tenants' invoices that are not cancelled. `further` is what `billed` contains besides
    the month's bills: corrections of other months, and custom charges. `corrections` are the differences in the
    month's bills that invoices of other months charge to tenants; `waiting` is the part of them that is still
    undecided.

    The owner bears `vacant` and `owner`; `vacant` is the amount by today's facts for vacant units. `outdated` is the
    amount on invoices of units that were believed vacant but were not. The bills sum to billed - further +
    corrections + vacant + owner.
    """

    utilities: tuple[UtilityTotal, ...]
    billed: int
    further: int
    corrections: int
    waiting: int
    vacant: int
    owner: int
    has_corrections: bool
    outdated: int

    @property
    def bills(self) -> int:
        """The sum of the month's bills."""
        return sum(utility.amount for utility in self.utilities)


def of_months(
    tx: Tx,
    account_id: str,
    loaded: Sequence[LoadedMonth],
    invoices: Mapping[MonthKey, Sequence[ReviewedInvoice]],
) -> dict[MonthKey, MonthSums]:
    """Compute the sums of these months from their invoices, in two SQL statements."""
    keys = [month.row.key for month in loaded]
    ids, months = sorted({key[0] for key in keys}), sorted({key[1] for key in keys})
    closed = sorted({month.row.month for month in loaded if month.row.is_closed})
    tx.catch_up()
    corrected = grouped(
        ((row.property_id, row.month), row) for row in corrections.of_months(tx, account_id, ids, closed)
    )
    is_any_vacant = any(row.tenant_name is None and row.total for rows in invoices.values() for row in rows)
    vacant = month_reviews.vacant_charges(tx, account_id, ids, months) if is_any_vacant else {}
    return {
        month.row.key: _account(
            month, invoices.get(month.row.key, ()), corrected.get(month.row.key, ()), vacant.get(month.row.key, {})
        )
        for month in loaded
    }


def _account(
    loaded: LoadedMonth,
    invoices: Sequence[ReviewedInvoice],
    corrected: Sequence[CorrectionRow],
    vacant: Mapping[str | None, int],
) -> MonthSums:
    is_billed = loaded.row.is_closed or loaded.property.bills_month(loaded.row.month)
    lines = [line for line in loaded.lines if line.charged or not is_billed]
    waits = {(line.bill_id, line.number) for line in loaded.lines if not line.charged}
    its = [row for row in corrected if loaded.row.is_closed and row.unit_id and (row.bill_id, row.line) not in waits]
    utilities = _utilities(lines, its, vacant) if is_billed else _of_history(lines)
    billed = sum(row.total for row in invoices if row.status != CANCELLED and row.tenant_name is not None)
    of_tenants = [row for row in its if row.tenant_id]
    lived_in = {row.unit_id for row in of_tenants if row.right_amount}
    return MonthSums(
        utilities,
        billed,
        billed - sum(utility.tenants for utility in utilities),
        sum(utility.corrections for utility in utilities),
        sum(row.waiting_amount for row in of_tenants),
        sum(utility.vacant for utility in utilities),
        sum(utility.owner for utility in utilities),
        bool(of_tenants),
        sum(
            row.total
            for row in invoices
            if row.status != CANCELLED and row.tenant_id is None and row.unit_id in lived_in
        ),
    )


def _utilities(
    lines: Sequence[BilledLine], corrected: Sequence[CorrectionRow], vacant: Mapping[str | None, int]
) -> tuple[UtilityTotal, ...]:
    """Compute the sums of a month's lines for each utility type.

    The amount on invoices is what remains of a type's lines after subtracting the other amounts. This is exact
    because `owner_amount` is the amount of a line that is in no charge and no correction. `vacant` maps the types of
    charges to the amounts on invoices of vacant units.
    """
    amounts = added_up((line.utility_type, line.amount) for line in lines)
    owners = added_up((line.utility_type, line.owner_amount) for line in lines)
    elsewhere = added_up((line_type(row.utility_type), _elsewhere(row)) for row in corrected if row.tenant_id)
    of_nobody = [(line_type(row.utility_type), row) for row in corrected if not row.tenant_id]
    empty = added_up((kind, row.right_amount - row.own_amount) for kind, row in of_nobody)
    borne = added_up((kind, row.left_amount) for kind, row in of_nobody)
    on_vacant = added_up((line_type(kind), amount) for kind, amount in vacant.items())
    totals = []
    for kind in sorted(amounts.keys() | elsewhere.keys() | empty.keys(), key=lambda utility: utility or "~"):
        to_vacant = on_vacant.get(kind or "", 0) + empty.get(kind or "", 0)
        owner = owners.get(kind, 0) - borne.get(kind or "", 0)
        amount, differs = amounts.get(kind, 0), elsewhere.get(kind or "", 0)
        totals.append(UtilityTotal(kind, amount, amount - differs - to_vacant - owner, differs, to_vacant, owner))
    return tuple(totals)


def _elsewhere(row: CorrectionRow) -> int:
    """Return the cents of a line that invoices of other months charge or may charge."""
    return row.right_amount - row.own_amount - row.left_amount


def _of_history(lines: Sequence[BilledLine]) -> tuple[UtilityTotal, ...]:
    """Sum up the bills of a month before billing starts, in which nobody is charged."""
    amounts = added_up((line.utility_type, line.amount) for line in lines)
    return tuple(
        UtilityTotal(kind, amount, 0, 0, 0, 0)
        for kind, amount in sorted(amounts.items(), key=lambda pair: pair[0] or "~")
    )
