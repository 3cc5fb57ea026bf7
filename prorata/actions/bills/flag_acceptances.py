"""Accepting open flags of several bills, with one reason for all of them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from prorata.actions.bills import flags as flag_actions
from prorata.actions.limits import MOST_FLAGS_ACCEPTED
from prorata.domain.bills.flags import reason_problem
from prorata.domain.groups import grouped
from prorata.domain.problems import Problem
from prorata.domain.texts import say
from prorata.errors import InvalidRequest
from prorata.store.audit.audit import Caller
from prorata.store.bills import flags as bill_flags, searches as bill_searches
from prorata.store.bills.flags import FlagRow
from prorata.store.database.engine import Tx
from prorata.store.properties import properties


class OpenFlags(NamedTuple):
    """The open flags of a bill, in order; `mark` is the flags' fingerprint."""

    flags: tuple[FlagRow, ...]
    mark: str


class Accepted(NamedTuple):
    """The result of accepting flags of several bills.

    `bills` is the number of bills whose open flags were all accepted, and `counting` the number of these bills
    that were held and now charge tenants. `left` contains the ids of bills that were left unchanged, because they
    are gone or their open flags differ from those shown.
    """

    bills: int
    counting: int
    left: tuple[str, ...]


def open_of(tx: Tx, caller: Caller, bill_ids: Sequence[str]) -> dict[str, OpenFlags]:
    """Map bills to their open flags; bills without open flags are left out."""
    flags = sorted(bill_flags.of_bills(tx, caller.account_id, bill_ids), key=lambda flag: flag.number)
    open_flags = grouped((row.bill_id, row) for row in flags if row.accepted_at is None)
    return {bill_id: OpenFlags(tuple(rows), flag_actions.mark_of(rows)) for bill_id, rows in open_flags.items()}


def accept_shown(tx: Tx, caller: Caller, shown: Mapping[str, str], reason: str) -> Accepted:
    """Accept all open flags of several bills with one reason.

    `shown` maps bill ids to the fingerprints of the flags that somebody saw (`OpenFlags.mark`). A bill whose open
    flags have changed since then stays as it is, because nobody has seen the new flags. Raises `InvalidRequest` if the
    reason is empty, or if there are no bills or more than `MOST_FLAGS_ACCEPTED`.
    """
    _check(shown, reason)
    ids = sorted(shown)
    there = [row for row, _ in bill_searches.with_lines(tx, caller.account_id, ids)]
    locked = properties.lock_many(tx, caller.account_id, sorted({row.property_id for row in there}))
    kept = {row.id for row in locked}
    rows = {row.id: row for row, _ in bill_searches.with_lines(tx, caller.account_id, ids) if row.property_id in kept}
    opened_flags = open_of(tx, caller, sorted(rows))
    seen = {
        bill_id: open_flags.flags for bill_id, open_flags in opened_flags.items() if open_flags.mark == shown[bill_id]
    }
    after = [flag_actions.accepted(tx, caller, row, reason.strip()) for flags in seen.values() for row in flags]
    if after:
        bill_flags.save_many(tx, after)
        flag_actions.record(tx, caller, after, {bill_id: rows[bill_id].issuer_name for bill_id in seen})
    counting = flag_actions.let_go(tx, caller, locked, [rows[bill_id] for bill_id in sorted(seen)])
    return Accepted(len(seen), counting, tuple(bill_id for bill_id in ids if bill_id not in seen))


def _check(shown: Mapping[str, str], reason: str) -> None:
    problems = []
    if not shown or len(shown) > MOST_FLAGS_ACCEPTED:
        problems.append(
            Problem(
                "chosen",
                say("Select the bills whose flags you accept, at most {most} of them.", most=MOST_FLAGS_ACCEPTED),
            )
        )
    if problem := reason_problem(reason):
        problems.append(Problem("reason", problem))
    if problems:
        raise InvalidRequest.because(problems)
