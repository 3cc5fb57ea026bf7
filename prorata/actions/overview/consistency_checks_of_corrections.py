"""The check of corrections against current facts and charges (`prorata check`)."""

from collections.abc import Iterator, Mapping, Sequence

from prorata.actions.recalculation.corrections import Key, Reckoned, by_key, carried, open_months_of, reckon
from prorata.actions.recalculation.loaded_months import LoadedMonth
from prorata.domain.money import in_figures
from prorata.store.database.engine import Tx
from prorata.store.recalculation import corrections
from prorata.store.recalculation.corrections import CorrectionRow


def reckoned_again(
    tx: Tx, account_id: str, loaded: Sequence[LoadedMonth], stored: Sequence[CorrectionRow], *, automatic: bool
) -> Mapping[Key, Reckoned]:
    """Recalculate these months' corrections from current facts and charges.

    Each correction also states the month that carries it.
    """
    open_months = open_months_of(tx, account_id, loaded)
    reckonings = reckon(tx, account_id, loaded, by_key(stored), open_months, automatic=automatic)
    return {
        key: reckoned._replace(corrections=carried(reckoned.corrections, open_months))
        for key, reckoned in reckonings.items()
    }


def stored_of(tx: Tx, account_id: str, loaded: Sequence[LoadedMonth]) -> list[CorrectionRow]:
    """Load the stored corrections of these months."""
    ids, named = sorted({month.row.property_id for month in loaded}), sorted({month.row.month for month in loaded})
    there = {month.row.key for month in loaded}
    return [row for row in corrections.of_months(tx, account_id, ids, named) if row.key[:2] in there]


def of_corrections(
    rows: Sequence[CorrectionRow], reckoned: Mapping[Key, Reckoned], *, automatic: bool
) -> Iterator[str]:
    """Yield a sentence for every correction that is missing or stored wrongly."""
    stored = {row.key: row for row in rows}
    wanted = {row.key: row for reckoning in reckoned.values() for row in reckoning.corrections}
    for key in sorted(stored.keys() | wanted.keys()):
        is_stored, is_wanted = stored.get(key), wanted.get(key)
        if is_stored != is_wanted:
            _, month, unit_id, tenant_id, bill_id, line = key
            yield (
                f"The correction of line {line} of bill {bill_id} in {month} for unit {unit_id} and tenant "
                f"{tenant_id} is stored as {_said(is_stored)}, but should be {_said(is_wanted)}."
            )
    for row in stored.values():
        named = f"The correction of bill {row.bill_id} in {row.month} for tenant {row.tenant_id}"
        charged = row.own_amount + row.elsewhere_amount + row.to_charge_amount
        if row.right_amount != charged + row.waiting_amount + row.left_amount:
            yield f"{named} does not sum up."
        if automatic and row.waiting_amount * row.to_charge_amount < 0:
            yield f"{named} is pending, but the opposite correction is placed."


def _said(row: CorrectionRow | None) -> str:
    if row is None:
        return "nothing"
    figures = ", ".join(
        f"{name.removesuffix('_amount')} {in_figures(getattr(row, name))}"
        for name in CorrectionRow._fields
        if name.endswith("_amount")
    )
    return f"{figures} in {row.carrier or 'no month yet'}"
