"""A bill that was charged and is wrong: what was sent stays, and the difference is a correction.

See docs/decisions.md#corrected-bills.
"""

from collections.abc import Mapping, Sequence
from itertools import count

from prorata.actions.accounts import access
from prorata.actions.bills import bills as bill_actions, flags as bill_flags, lines as bill_lines
from prorata.domain.audit.verbs import Verb
from prorata.domain.billing_calendar import Month
from prorata.domain.bills.bills import BilledIn, in_months
from prorata.domain.limits import LARGEST_AMOUNT
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.problems import Problem
from prorata.domain.utility_names import NOT_BILLED_REASONS, UTILITY_TYPES
from prorata.errors import Conflict, InvalidRequest
from prorata.store.audit.audit import Caller
from prorata.store.bills.bills import BillSummary, LineRow
from prorata.store.database.engine import Tx


def correct(
    tx: Tx, caller: Caller, bill_id: str, total: int, amounts: Mapping[str, int] | None = None, write: Forms = PLAIN
) -> BillSummary:
    """Give a bill the right `total` and `amounts` by utility type or reason why it is not billed, in cents; without
    amounts all of the total is for its only one. Its months, service period and property stay.

    Months that are open are computed anew; of closed ones the difference is a correction. Raises `NotFound`,
    `InvalidRequest` with every problem, and `Conflict` for a bill that is held.
    """
    locked, row = access.bill_to_change(tx, caller, bill_id)
    before, are_held = bill_lines.stored(tx, caller, row.id)
    if are_held:
        raise Conflict("This bill is held, and has charged nobody. Change the bill itself.")
    parts = list(dict.fromkeys(_kind(line) for line in before))
    wanted = dict(amounts) if amounts is not None else ({parts[0]: total} if len(parts) == 1 else None)
    problems = _problems(total, wanted, parts)
    if problems or wanted is None:
        raise InvalidRequest.because(problems)
    lines = _lines(before, parts, wanted)
    if [line.amount for line in lines] == [line.amount for line in before] and total == row.total:
        return bill_actions.find(tx, caller, row.id)
    was_charged = any(line.charged for line in before)
    kinds = [kind for kind in dict.fromkeys([*parts, *wanted]) if kind in UTILITY_TYPES]
    after = row._replace(
        total=total, guessed=bool(row.guessed and amounts is None), utility_types=";".join(kinds) or row.utility_types,
        corrected=bool(row.corrected or was_charged), updated_at=tx.now,
    )  # fmt: skip
    bill_lines.save(tx, caller, Verb.CORRECT_BILL, row, before, after, lines)
    bill_lines.replace(tx, caller, row.id, lines, are_held=False)
    bill_lines.recalculate_touched(tx, caller, [locked], lines)
    bill_flags.look_again(tx, caller, [locked], {row.id}, write)
    return bill_actions.find(tx, caller, row.id)


def remove(tx: Tx, caller: Caller, bill_id: str, write: Forms = PLAIN) -> BillSummary:
    """Make a bill that was charged come to nothing: its lines are 0.00, and what was charged is a correction."""
    row = access.bill(tx, caller, bill_id)
    kinds = dict.fromkeys((_kind(line) for line in bill_lines.stored(tx, caller, row.id).lines), 0)
    return correct(tx, caller, bill_id, 0, kinds, write)


def _kind(line: LineRow) -> str:
    return line.utility_type or line.not_billed or ""


def _problems(total: int, wanted: Mapping[str, int] | None, parts: Sequence[str]) -> list[Problem]:
    found = []
    if wanted is None:
        named = ", ".join(parts)
        return [Problem("amounts", f"This bill has several parts ({named}): give the right amount of each.")]
    unknown = [kind for kind in wanted if kind not in UTILITY_TYPES and kind not in NOT_BILLED_REASONS]
    if unknown:
        found.append(Problem("amounts", f"Name utilities: {', '.join(UTILITY_TYPES)}; or why a part is not billed."))
    if any(abs(cents) > LARGEST_AMOUNT for cents in (total, *wanted.values())):
        found.append(Problem("amounts", "An amount is at most 9,999,999,999.99."))
    if sum(wanted.values()) != total:
        found.append(Problem("amounts", "The amounts must sum to the total. Nothing was changed."))
    return found


def _lines(before: Sequence[LineRow], parts: Sequence[str], wanted: Mapping[str, int]) -> list[LineRow]:
    """The lines with their right amounts, in the months they are billed in; a part that is new comes behind them."""
    of_kind = {kind: [line for line in before if _kind(line) == kind] for kind in parts}
    lines, numbers = list[LineRow](), count(max(line.number for line in before) + 1)
    for kind, its in of_kind.items():
        lines += [
            line._replace(amount=cents) for line, cents in zip(its, _in_months(wanted.get(kind, 0), its), strict=True)
        ]
    some = of_kind[parts[0]]
    for kind, cents in wanted.items():
        if kind in of_kind:
            continue
        is_billed = kind in UTILITY_TYPES
        lines += [
            line._replace(
                number=next(numbers), utility_type=kind if is_billed else None, not_billed=None if is_billed else kind,
                amount=part, owner_amount=0, charged=False,
            )
            for line, part in zip(some, _in_months(cents, some), strict=True)
        ]  # fmt: skip
    return sorted(lines, key=lambda line: line.number)


def _in_months(cents: int, lines: Sequence[LineRow]) -> list[int]:
    return in_months(cents, [BilledIn(Month(line.month), line.days, line.of_days) for line in lines])
