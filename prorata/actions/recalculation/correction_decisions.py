"""A person's decisions about corrections.

A correction can be charged on later invoices or left to the owner, and either decision can be revoked.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from prorata.actions.accounts import access, accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.recalculation import loaded_months, recalculation
from prorata.actions.recalculation.corrections import as_correction, first_open_after, goes_to
from prorata.actions.recalculation.loaded_months import LoadedMonth
from prorata.domain.accounts.settings import PLACE
from prorata.domain.audit.verbs import Verb
from prorata.domain.billing_calendar import Month, month_in_words, next_month
from prorata.domain.groups import added_up, grouped
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.splitting.changed_days import DaysChange, changed_in_month
from prorata.domain.splitting.corrections import Correction
from prorata.domain.splitting.month_facts import MonthFacts
from prorata.domain.texts import Text, listed, say, say_n
from prorata.errors import Conflict
from prorata.store.accounts.accounts import AccountRow
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.properties import properties, units
from prorata.store.properties.properties import PropertyRow
from prorata.store.recalculation import billing_months, corrections, waiting_corrections
from prorata.store.recalculation.corrections import ChargedRow, CorrectionRow
from prorata.store.recalculation.waiting_corrections import WaitingSum

Place = Literal["next", "owner", "revoke"]
_VERBS: Mapping[Place, Verb] = {
    "next": Verb.PLACE_CORRECTIONS, "owner": Verb.LEAVE_CORRECTIONS, "revoke": Verb.REVOKE_CORRECTIONS,
}  # fmt: skip


class ClosedMonth(NamedTuple):
    """A closed month, and the facts with which it was closed."""

    loaded: LoadedMonth
    then: MonthFacts


class ShownCorrection(NamedTuple):
    """A correction with the names of its unit and tenant.

    `goes_to` is the month whose invoices carry the correction or would carry it. `is_revocable` is set if a person
    may revoke the decision about the correction.
    """

    row: CorrectionRow
    unit_label: str
    tenant_name: str | None
    goes_to: str | None
    is_revocable: bool


class Decided(NamedTuple):
    """The audit note of a decision about some months' corrections; `amount` is in cents."""

    months: tuple[str, ...]
    amount: int


def of_property(tx: Tx, caller: Caller, property_id: str, months: Sequence[str] | None = None) -> list[ShownCorrection]:
    """List a property's corrections, sorted by month, unit and line.

    If `months` are given, only their corrections are listed. Raises `NotFound` if there is no such property.
    """
    account_id, of = caller.account_id, access.property_(tx, caller, property_id).id
    if months is None:
        return _shown(tx, caller, of, corrections.of_property(tx, account_id, of))
    tx.catch_up()
    rows = corrections.of_months(tx, account_id, [of], list(months))
    return _shown(tx, caller, of, sorted(rows, key=lambda row: row.key))


def page(
    tx: Tx, caller: Caller, property_id: str, month: str | None, *, limit: int, offset: int
) -> tuple[list[ShownCorrection], int]:
    """List one page of a property's corrections, and count all of them.

    If a month is given, only that month's corrections are listed. They are in the order of `of_property`. Raises
    `NotFound` if there is no such property.
    """
    of = access.property_(tx, caller, property_id).id
    rows, total = corrections.page(tx, caller.account_id, of, month, limit=limit, offset=offset)
    return _shown(tx, caller, of, rows), total


def _shown(tx: Tx, caller: Caller, of: str, rows: Sequence[CorrectionRow]) -> list[ShownCorrection]:
    """Add unit labels, tenant names and the carrying months to a property's corrections."""
    if not rows:
        return []
    account_id = caller.account_id
    labels = {unit.id: unit.label for unit in units.find_many(tx, account_id, sorted({row.unit_id for row in rows}))}
    tenants = units.tenants_of_past(tx, account_id, sorted({row.tenant_id for row in rows}))
    names = {tenant.id: tenant.name for tenant in tenants}
    open_months = [
        month_state.month for month_state in corrections.month_states(tx, account_id, [of]) if not month_state.is_closed
    ]
    automatic = accounts.the_account(tx, caller).corrections == PLACE
    return [
        ShownCorrection(
            row,
            labels.get(row.unit_id, ""),
            names.get(row.tenant_id),
            goes_to(row, open_months),
            _is_revocable(as_correction(row), automatic=automatic),
        )
        for row in rows
    ]


def charged_on(tx: Tx, caller: Caller, rows: Sequence[CorrectionRow]) -> list[list[ChargedRow]]:
    """List the charges on issued invoices that contain each correction, earliest month first.

    Drafts of open months and cancelled invoices are left out. This takes at most one SQL statement.
    """
    bills = sorted({row.bill_id for row in rows if row.elsewhere_amount})
    charges = corrections.issued_elsewhere(tx, caller.account_id, bills)
    found = grouped(
        ((one.month, one.unit_id, one.tenant_id or "", one.bill_id, one.line), one)
        for one in sorted(charges, key=lambda one: one.carrier)
        if not one.is_cancelled
    )
    return [
        [
            one
            for tenant_id in row.household.split() or [""]
            for one in found[row.month, row.unit_id, tenant_id, row.bill_id, row.line]
        ]
        for row in rows
    ]


def closed_month(tx: Tx, row: PropertyRow, month: str) -> ClosedMonth | None:
    """Load a closed month of a property with its facts; None if it isn't closed."""
    found = [one for one in billing_months.find_many(tx, row.account_id, [row.id], [month]) if one.snapshot is not None]
    months = loaded_months.with_facts(tx, row.account_id, [row], found) if found else ()
    return next((ClosedMonth(loaded, loaded_months.basis(loaded).facts) for loaded in months), None)


def changed_days_of(month: ClosedMonth | None) -> tuple[DaysChange, ...]:
    """List the days on which a month's units count differently than when it was closed."""
    return changed_in_month(month.then, month.loaded.now) if month else ()


def _is_revocable(correction: Correction, *, automatic: bool) -> bool:
    return bool(correction.left or (correction.to_charge and not automatic))


def decide(
    tx: Tx, caller: Caller, property_id: str, months: Sequence[str], place: Place, *, bill_id: str | None = None
) -> list[ShownCorrection]:
    """Decide about the corrections of these months, and return the corrections.

    The decision is to charge the pending corrections on the next invoices ("next"), to leave them to the owner
    ("owner"), or to revoke either decision ("revoke"), except for amounts on sent invoices. If a bill is given, only
    corrections of that bill are decided. If the account charges corrections automatically, only the decision to leave
    them to the owner can be revoked.

    Raises `NotFound` if there is no such property, and `Conflict` if a month has nothing to decide.
    """
    locked = access.property_to_change(tx, caller, property_id)
    tx.catch_up()
    named = sorted(set(months))
    automatic = accounts.the_account(tx, caller).corrections == PLACE
    rows = corrections.of_months(tx, caller.account_id, [locked.id], named)
    asked = [row for row in rows if bill_id in (None, row.bill_id)]
    changed = [after for row in asked if (after := _decided(row, place, automatic=automatic)) != row]
    _refuse_what_has_none(named, changed, place, automatic=automatic)
    corrections.save_many(tx, changed)
    if place == "next":
        _start_what_carries(tx, caller, locked, changed)
    before = {row.key: row for row in rows}
    noted = Decided(tuple(named), sum(_moved(before[row.key], row) for row in changed))
    audit.record(tx, caller, _VERBS[place], locked.id, after=noted)
    recalculation.recalculate(tx, caller, [locked], named)
    tx.catch_up()
    return of_property(tx, caller, locked.id, named)


def next_months(tx: Tx, caller: Caller, property_id: str, months: Iterable[str]) -> list[str]:
    """List the months whose invoices would carry the corrections of these closed `months`.

    If no open month follows a closed month, its corrections go to the month after the property's last one, which is
    created when a correction is to be charged there. Open months in `months` are ignored.
    """
    states = corrections.month_states(tx, caller.account_id, [property_id])
    closed = {state.month for state in states if state.is_closed}
    open_months = [state.month for state in states if not state.is_closed]
    begun = [next_month(Month(state.month)) for state in states[-1:]]
    return sorted({first_open_after(month, [*open_months, *begun]) or month for month in closed.intersection(months)})


def waiting(tx: Tx, caller: Caller) -> list[WaitingSum]:
    """Sum the account's pending corrections for tenants, by currency."""
    return waiting_corrections.by_currency(tx, caller.account_id)


def waiting_in_words(sums: Iterable[WaitingSum], write: Forms = PLAIN) -> Text:
    """Describe in words how many corrections are pending in each currency, and their sums."""
    return listed(
        [
            say_n(
                "{n} correction: {more} to be charged, {less} to be given back",
                "{n} corrections: {more} to be charged, {less} to be given back",
                waiting_sum.corrections,
                more=write.money(waiting_sum.more, waiting_sum.currency),
                less=write.money(-waiting_sum.less, waiting_sum.currency),
            )
            for waiting_sum in sums
        ]
    )


def placed_by(tx: Tx, caller: Caller, wishes: Wishes) -> list[WaitingSum]:
    """Sum the pending corrections that a change of settings would charge on the next invoices.

    The result is empty unless the change turns on the automatic charging of corrections.
    """
    if wishes.corrections != PLACE or accounts.the_account(tx, caller).corrections == PLACE:
        return []
    return waiting(tx, caller)


def change_settings(tx: Tx, caller: Caller, wishes: Wishes, *, seen: str | None = None) -> AccountRow:
    """Change an account's settings (`accounts.change_settings`).

    If the change turns on the automatic charging of corrections, the pending ones are charged on the next invoices.
    """
    if wishes.corrections != PLACE or accounts.the_account(tx, caller).corrections == PLACE:
        return accounts.change_settings(tx, caller, wishes, seen=seen)
    pending = corrections.pending_months(tx, caller.account_id)
    locked = properties.lock_many(tx, caller.account_id, sorted({month_state.property_id for month_state in pending}))
    after = accounts.change_settings(tx, caller, wishes, seen=seen)
    recalculation.recalculate(tx, caller, locked, sorted({month_state.month for month_state in pending}))
    return after


def _decided(row: CorrectionRow, place: Place, *, automatic: bool) -> CorrectionRow:
    correction = as_correction(row)
    if place == "revoke":
        return _with(row, correction.revoke()) if _is_revocable(correction, automatic=automatic) else row
    if not correction.waiting:
        return row
    return _with(row, correction.place() if place == "next" else correction.leave())


def _with(row: CorrectionRow, correction: Correction) -> CorrectionRow:
    """Return a correction's row with the decision in `correction`.

    The effects of the decision are computed when the corrected month is recalculated.
    """
    return row._replace(placed_amount=correction.placed, again_amount=correction.again, left_amount=correction.left)


def _moved(before: CorrectionRow, after: CorrectionRow) -> int:
    return before.waiting_amount - as_correction(after).waiting


def _refuse_what_has_none(
    months: Iterable[str], changed: Sequence[CorrectionRow], place: Place, *, automatic: bool
) -> None:
    left = sorted(set(months) - {row.month for row in changed})
    if left:
        named = listed([month_in_words(Month(month)) for month in left])
        if place != "revoke":
            raise Conflict(say("{named} has no pending correction. Nothing was changed.", named=named))
        if automatic:
            why = say(
                "Corrections are placed on invoices automatically here (see Settings), so placed corrections "
                "can't be taken back."
            )
            raise Conflict(
                say(
                    "{named} has no correction that the owner bears. {why} Nothing was changed.",
                    named=named,
                    why=why,
                )
            )
        raise Conflict(
            say(
                "{named} has no correction that the owner bears, or that was placed on an invoice but not yet sent. "
                "Nothing was changed.",
                named=named,
            )
        )


def _start_what_carries(tx: Tx, caller: Caller, locked: PropertyRow, changed: Sequence[CorrectionRow]) -> None:
    """Create the month after the property's last one if no open month can carry corrections."""
    states = corrections.month_states(tx, caller.account_id, [locked.id])
    open_months = [state.month for state in states if not state.is_closed]
    by_month = added_up((row.month, abs(as_correction(row).to_charge)) for row in changed)
    if any(cents and first_open_after(month, open_months) is None for month, cents in by_month.items()):
        last = Month(max(state.month for state in states))
        recalculation.start(tx, caller, [locked], [(locked.id, next_month(last))])
