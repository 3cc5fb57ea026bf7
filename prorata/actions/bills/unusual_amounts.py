"""Acceptance of an unusual total of a month's bills, similar to accepting a flag."""

from collections.abc import Sequence

from prorata.actions.accounts import access, accounts as account_actions
from prorata.actions.bills import flags as flag_actions
from prorata.actions.months import checks
from prorata.actions.months.sums import MonthKey
from prorata.actions.recalculation.loaded_months import month_named
from prorata.domain.bills.flags import reason_problem
from prorata.domain.months.findings import Finding
from prorata.domain.months.unusual_amounts import UNUSUAL_AMOUNT
from prorata.domain.problems import Problem
from prorata.domain.texts import say
from prorata.errors import Conflict, InvalidRequest
from prorata.store.audit.audit import Caller
from prorata.store.bills import bills, flags as bill_flags
from prorata.store.bills.flags import FlagRow
from prorata.store.database.engine import Tx


def accept(tx: Tx, caller: Caller, property_id: str, month: str, bill_ids: Sequence[str], reason: str) -> None:
    """Accept that the total of these bills in a month is unusual.

    The reason is stored with each bill. An open flag about the unusual amount of a single bill is accepted, too.
    Raises `NotFound` if there is no such property, `InvalidRequest` if the reason is empty, and `Conflict` if the
    total is no longer unusual.
    """
    locked, named = access.property_to_change(tx, caller, property_id), month_named(month)
    if problem := reason_problem(reason):
        raise InvalidRequest.because([Problem("reason", problem)])
    finding = _found(tx, caller, (locked.id, named), bill_ids)
    rows = sorted(
        bills.find_many(tx, caller.account_id, list(finding.records)), key=lambda row: finding.records.index(row.id)
    )
    kept = bill_flags.of_bills(tx, caller.account_id, list(finding.records))
    flagged = [flag for flag in kept if flag.kind == finding.kind and flag.accepted_at is None]
    after = [flag_actions.accepted(tx, caller, flag, reason.strip()) for flag in flagged]
    number = {row.id: max((flag.number for flag in kept if flag.bill_id == row.id), default=0) + 1 for row in rows}
    new = [
        FlagRow(
            row.account_id, row.id, number[row.id], row.property_id, finding.kind, finding.message, "", tx.now, tx.now,
            caller.actor, reason.strip(),
        )
        for row in rows
    ]  # fmt: skip
    bill_flags.save_many(tx, after)
    bill_flags.add_many(tx, new)
    flag_actions.record(tx, caller, new, {row.id: row.issuer_name for row in rows})
    still = {flag.bill_id for flag in kept if flag.accepted_at is None and flag not in flagged}
    flag_actions.let_go(tx, caller, [locked], [row for row in rows if row.id not in still])


def _found(tx: Tx, caller: Caller, key: MonthKey, bill_ids: Sequence[str]) -> Finding:
    late_bills = account_actions.the_account(tx, caller).late_bills
    checked = checks.of_months(tx, caller, [key], late_bills).get(key)
    for finding in checked.findings if checked else ():
        if finding.kind == UNUSUAL_AMOUNT and finding.records == tuple(bill_ids):
            return finding
    raise Conflict(say("There is no longer anything unusual about these bills. Check the month again."))
