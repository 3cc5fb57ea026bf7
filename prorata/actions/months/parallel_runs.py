"""A parallel run: a month as the old way charged it, from a spreadsheet, compared with ours to the cent."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from prorata.actions.accounts import access, file_columns
from prorata.actions.recalculation.loaded_months import basis, load_or_empty, month_named
from prorata.actions.recalculation.month_loader import PropertyFacts
from prorata.actions.recalculation.month_writer import planned_month
from prorata.domain.files.column_mappings import ColumnMapping, remembered_by
from prorata.domain.files.sheets import Sheet
from prorata.domain.groups import added_up
from prorata.domain.invoice_states import CANCELLED
from prorata.domain.labels import same
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.months.former_charges import TheirCharge, bare_label
from prorata.domain.months.former_columns import AMOUNT, OF_CHARGES, Understood, understood
from prorata.domain.months.parallel_runs import Comparison, Ours, Theirs, compare as beside, sum_row
from prorata.domain.problems import Problem
from prorata.domain.splitting.month_facts import MonthFacts
from prorata.domain.splitting.stays import of_month, units_on
from prorata.domain.texts import say
from prorata.errors import InvalidRequest
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.months import reviews as month_reviews
from prorata.store.months.reviews import ReviewedInvoice
from prorata.store.properties.properties import PropertyRow


class ParallelRun(NamedTuple):
    """A month compared, in cents: `billed` is the sum of its lines that are billed, `owner` the owner's part of these,
    `by_hand` what a person added to our invoices. What we charge is `billed` less `owner` and with `by_hand`.

    `is_history`: the month is of before billing starts; ours is what it would have come to. `sum_row` names the last
    row of what was brought, where it was left out as the sum of the others.
    """

    property: PropertyRow
    month: str
    comparison: Comparison
    billed: int
    owner: int
    by_hand: int
    is_history: bool
    sum_row: str | None


def read_as(
    tx: Tx, caller: Caller, of_property: PropertyRow, sheet: Sheet, said: ColumnMapping | None, *, is_fixed: bool
) -> Understood:
    """A file of what was charged as it is read with what is said of its columns, or was said of one with the same
    before; where its header stands is looked for unless that `is_fixed`.
    """
    if said is None:
        sheet, said = file_columns.recall(tx, caller, sheet, OF_CHARGES, is_fixed=is_fixed)
    return understood(sheet, said, country=of_property.country, currency=of_property.currency)


def remember(tx: Tx, caller: Caller, sheet: Sheet, said: ColumnMapping) -> None:
    """Remember what was said of the columns of such a file."""
    file_columns.remember(tx, caller, remembered_by(sheet, said, OF_CHARGES, (AMOUNT,)), sheet.header, said)


def compare(
    tx: Tx, caller: Caller, property_id: str, month: str, charges: Sequence[TheirCharge], write: Forms = PLAIN
) -> ParallelRun:
    """Compare what the old way charged with ours. Writes nothing. A unit is named by its label or id, also with a word
    before it ("Apt 2B" for 2B) where that is plain. Raises `NotFound`, and `InvalidRequest` where the month is none or
    has no bills.
    """
    of_property = access.property_(tx, caller, property_id)
    named = month_named(month)
    facts, units, is_charged = _facts(tx, of_property, named)
    if not facts.bills_anybody:
        said = say("There is no bill of {month} to compare with. Add it first.", month=write.month(named))
        raise InvalidRequest.because([Problem("month", said)])
    rows = month_reviews.invoices_of_months(tx, caller.account_id, [of_property.id], [named])[of_property.id, named]
    computed = _computed(units, facts, rows)
    lived_in = {unit.unit_id for unit in units_on(of_month(named), facts.units) if not unit.is_vacant}
    by_hand = added_up((row.unit_id, row.total) for row in rows if row.status != CANCELLED)
    for unit_id in by_hand:
        by_hand[unit_id] -= computed.get(unit_id, 0) if is_charged else 0
    ours = [
        _ours(units.units[unit_id].label, unit_id, cents, by_hand.get(unit_id, 0), lived_in)
        for unit_id, cents in computed.items()
    ]
    theirs = _theirs(charges, units)
    left_out = sum_row(theirs)
    billed = [line for line in facts.lines if line.utility_type is not None]
    return ParallelRun(
        of_property,
        named,
        beside(theirs[:-1] if left_out else theirs, ours, facts, write),
        sum(line.amount for line in billed),
        sum(line.amount for line in billed) - sum(computed.values()),
        sum(one.by_hand for one in ours),
        not units.bills_month(named),
        left_out.label if left_out else None,
    )


def _computed(units: PropertyFacts, facts: MonthFacts, rows: Sequence[ReviewedInvoice]) -> dict[str, int]:
    """What the invoices of each unit come to by the facts of the month; what is on cancelled ones is the owner's."""
    whose = {(row.unit_id, None if facts.is_former else row.tenant_id) for row in rows if row.status != CANCELLED}
    cancelled = {
        (row.unit_id, None if facts.is_former else row.tenant_id) for row in rows if row.status == CANCELLED
    } - whose
    found: dict[str, int] = {}
    for (unit_id, _), draft in planned_month(units, facts, {}).drafts.items():
        if (unit_id, draft.tenant_id) not in cancelled:
            found[unit_id] = found.get(unit_id, 0) + sum(charge.amount for charge in draft.charges)
    return found


def _facts(tx: Tx, of_property: PropertyRow, month: str) -> tuple[MonthFacts, PropertyFacts, bool]:
    """What the month is, or as history would have been, computed from; and whether its invoices hold what is computed:
    those that stayed in history hold what was added by hand alone.
    """
    loaded = load_or_empty(tx, of_property, month)
    if loaded.row.is_closed or loaded.property.bills_month(month):
        return basis(loaded).facts, loaded.property, True
    return loaded.property.of_month(month, loaded.lines, loaded.row.first_closed_at), loaded.property, False


def _ours(label: str, unit_id: str, computed: int, by_hand: int, lived_in: set[str]) -> Ours:
    return Ours(unit_id, label, computed + by_hand, by_hand, unit_id not in lived_in)


def _theirs(charges: Sequence[TheirCharge], units: PropertyFacts) -> list[Theirs]:
    """What was charged, by unit. A word before a label is passed over where one unit alone can be meant by that, and no
    other row names it as it is.
    """
    ids = {same(unit.label): unit_id for unit_id, unit in units.units.items()}
    plain = [charge.unit if charge.unit in units.units else ids.get(same(charge.unit)) for charge in charges]
    bare: dict[str, set[str]] = defaultdict(set)
    for unit_id, unit in units.units.items():
        bare[bare_label(unit.label)].add(unit_id)
    theirs, named_plainly = [], set(plain)
    for charge, named in zip(charges, plain, strict=True):
        meant = bare.get(bare_label(charge.unit), set())
        found = named or (next(iter(meant)) if len(meant) == 1 and meant.isdisjoint(named_plainly) else None)
        theirs.append(Theirs(found, units.units[found].label if found else charge.unit, charge.amount))
    return theirs
