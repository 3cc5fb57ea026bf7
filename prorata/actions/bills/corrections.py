"""Corrections of a charged bill: sent invoices stay unchanged, and tenants are charged the difference.

docs/decisions.md#corrected-bills has the rules.
"""

from collections.abc import Mapping, Sequence
from itertools import count

from prorata.actions.accounts import access
from prorata.actions.bills import (
    bills as bill_actions,
    entries as bill_entries,
    flags as bill_flags,
    lines as bill_lines,
)
from prorata.actions.recalculation import correction_decisions
from prorata.actions.recalculation.correction_decisions import ShownCorrection
from prorata.domain.audit.verbs import Verb
from prorata.domain.billing_calendar import Month
from prorata.domain.bills.bills import BilledIn, in_months
from prorata.domain.bills.forms import FormLine, read_form
from prorata.domain.countries import COUNTRIES
from prorata.domain.files import usage_cells
from prorata.domain.files.cells import Unclear
from prorata.domain.groups import added_up
from prorata.domain.limits import LARGEST_AMOUNT
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.problems import Problem
from prorata.domain.texts import joined, say
from prorata.domain.usage import Usage, as_text, from_text
from prorata.domain.utility_names import NOT_BILLED_REASONS, UTILITY_TYPES
from prorata.errors import Conflict, InvalidRequest
from prorata.store.audit.audit import Caller
from prorata.store.bills.bills import BillSummary, LineRow
from prorata.store.database.engine import Tx
from prorata.store.recalculation import billing_months

NO_USAGES: Mapping[str, Usage] = {}
NOTHING_USED: Mapping[str, tuple[str, str, str]] = {}


def correct(
    tx: Tx, caller: Caller, bill_id: str, total: int, amounts: Mapping[str, int] | None = None, write: Forms = PLAIN, *,
    usages: Mapping[str, Usage] = NO_USAGES, seen: str | None = None,
) -> BillSummary:  # fmt: skip
    """Correct a bill's `total` and its `amounts`, in cents.

    `amounts` maps utility types and unbilled reasons to cents. It may be omitted if the bill has only one utility type
    or unbilled reason, which then gets the total. `usages` are the corrected usages by utility type. If the amount of
    a utility type changes and no new usage is given for it, the stored usage loses its unit price. The bill's months,
    service period and property stay the same.

    Open months are recalculated; in closed months the difference becomes a correction. `seen` is the bill's
    `updated_at` that the person saw (`access.require_seen`). Raises `NotFound` if there is no such bill,
    `InvalidRequest` with every problem, and `Conflict` if the bill is held, or if it charged a month that was
    closed by an old version of Prorata, which had no corrections.
    """
    locked, row = access.bill_to_change(tx, caller, bill_id)
    access.require_seen(row.updated_at, seen)
    before, are_held = bill_lines.stored(tx, caller, row.id)
    if are_held:
        raise Conflict(say("This bill is held and hasn’t been charged to anyone. Change the bill itself."))
    parts = list(dict.fromkeys(map(bill_lines.kind_of, before)))
    billed = list(dict.fromkeys(bill_lines.kind_of(line) for line in before if line.amount)) or parts
    wanted = dict(amounts) if amounts is not None else ({billed[0]: total} if len(billed) == 1 else None)
    problems = _problems(total, wanted, parts)
    if problems or wanted is None:
        raise InvalidRequest.because(problems)
    lines = _lines(before, parts, wanted)
    usage = _usage(row.usage, before, lines, usages)
    is_same = [line.amount for line in lines] == [line.amount for line in before]
    if is_same and (total, usage) == (row.total, row.usage):
        return bill_actions.find(tx, caller, row.id)
    charged = sorted({line.month for line in before if line.charged})
    _refuse_months_of_before(tx, caller, row.property_id, charged, write)
    kinds = [kind for kind in dict.fromkeys([*parts, *wanted]) if kind in UTILITY_TYPES]
    after = row._replace(
        total=total, guessed=bool(row.guessed and (amounts is None or is_same)),
        utility_types=";".join(kinds) or row.utility_types,
        corrected=bool(row.corrected or charged), usage=usage, updated_at=tx.now,
    )  # fmt: skip
    bill_lines.save(tx, caller, Verb.CORRECT_BILL, row, before, after, lines)
    bill_lines.replace(tx, caller, row.id, lines, are_held=False)
    bill_lines.recalculate_touched(tx, caller, [locked], lines)
    bill_flags.look_again(tx, caller, [locked], {row.id})
    return bill_actions.find(tx, caller, row.id)


def _usage(
    former: str | None, before: Sequence[LineRow], after: Sequence[LineRow], given: Mapping[str, Usage]
) -> str | None:
    """Return the usage text to store with a corrected bill.

    Usages in `given` replace those in the `former` usage text. A former usage loses its unit price if the amount
    of its utility type differs between the lines `before` and `after`.
    """
    was, is_now = (added_up((bill_lines.kind_of(line), line.amount) for line in lines) for lines in (before, after))
    known = {
        kind: usage if was.get(kind) == is_now.get(kind) else usage._replace(price=None)
        for kind, usage in from_text(former)
    }
    return as_text((known | dict(given)).items())


def remove(tx: Tx, caller: Caller, bill_id: str, write: Forms = PLAIN) -> BillSummary:
    """Undo a charged bill by correcting its total and lines to 0.00.

    Open months are recalculated; in closed months, tenants get a correction in their favor for the amounts that they
    were charged. Raises everything that `correct` raises.
    """
    return correct(tx, caller, bill_id, 0, dict.fromkeys(parts(tx, caller, bill_id), 0), write)


def _refuse_months_of_before(tx: Tx, caller: Caller, property_id: str, named: list[str], write: Forms) -> None:
    rows = billing_months.find_many(tx, caller.account_id, [property_id], named) if named else ()
    closed = [write.month(Month(row.month)) for row in rows if row.is_closed and not row.settles]
    if closed:
        raise Conflict(
            say(
                "This bill was charged in {names}, where invoices were sent before Prorata kept corrections. Set "
                "those invoices back to draft first; then you can correct the bill.",
                names=" and ".join(closed),
            )
        )


def _problems(total: int, wanted: Mapping[str, int] | None, parts: Sequence[str]) -> list[Problem]:
    problems = []
    if wanted is None:
        named = ", ".join(parts)
        return [
            Problem(
                "amounts", say("This bill has several parts ({named}): enter the correct amount for each.", named=named)
            )
        ]
    unknown = [kind for kind in wanted if kind not in UTILITY_TYPES and kind not in NOT_BILLED_REASONS]
    if unknown:
        message = say(
            "{names}: a part must be one of {names_2}, or a reason why it isn’t billed.",
            names=", ".join(unknown),
            names_2=", ".join(UTILITY_TYPES),
        )
        problems.append(Problem("amounts", message))
    if any(abs(cents) > LARGEST_AMOUNT for cents in (total, *wanted.values())):
        problems.append(Problem("amounts", say("An amount can be at most 9,999,999,999.99.")))
    if sum(wanted.values()) != total:
        rest = [kind for kind in parts if kind not in wanted]
        parts_said = [
            say("The amounts must add up to the total."),
            say("Parts you left out count as 0.00: {names}.", names=", ".join(rest)) if rest else "",
            say("Nothing was changed."),
        ]
        problems.append(Problem("amounts", joined(parts_said)))
    return problems


def _lines(before: Sequence[LineRow], parts: Sequence[str], wanted: Mapping[str, int]) -> list[LineRow]:
    """Return a bill's lines with their corrected amounts, each in its billing month.

    Lines for a utility type or unbilled reason that the bill did not have before come last.
    """
    of_kind = {kind: [line for line in before if bill_lines.kind_of(line) == kind] for kind in parts}
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


def parts(tx: Tx, caller: Caller, bill_id: str) -> dict[str, int]:
    """Map each utility type and unbilled reason of a bill to its amount in cents.

    Raises `NotFound` if there is no such bill.
    """
    row = access.bill(tx, caller, bill_id)
    return bill_lines.amounts_of(bill_lines.stored(tx, caller, row.id).lines)


def read(
    tx: Tx,
    caller: Caller,
    bill_id: str,
    total: str,
    amounts: Mapping[str, str],
    used: Mapping[str, tuple[str, str, str]] = NOTHING_USED,
) -> tuple[int, dict[str, int], dict[str, Usage]]:
    """Parse a bill's corrected total, amounts and usages as a person entered them.

    `amounts` maps each utility type or unbilled reason to its amount. `used` maps utility types to the quantity, the
    unit of measure and the unit price; a quantity without a unit is in the bill's former unit. Raises `InvalidRequest`
    with every problem by field, and `NotFound` if there is no such bill.
    """
    locked, row = access.bill_to_change(tx, caller, bill_id)
    form = bill_entries.form_of(tx, caller, row.id)
    former = {line.kind: line.unit for line in form.lines}
    lines = []
    for kind, amount in amounts.items():
        quantity, unit, price = used.get(kind, ("", "", ""))
        its_unit = unit or (former[kind] if quantity else "")
        lines.append(FormLine(kind, amount if len(amounts) > 1 else "", quantity, its_unit, price))
    bill, problems = read_form(form._replace(total=total, lines=tuple(lines)), locked.country, locked.currency)
    if bill is None:
        raise InvalidRequest.because(problems)
    return bill.total, dict(bill.amounts) or dict.fromkeys(amounts, bill.total), dict(bill.usages)


def read_usages(texts: Sequence[str]) -> dict[str, Usage]:
    """Parse usages such as "WATER=412.5 kWh @ 0.284"; the price is optional.

    Raises `InvalidRequest` if a text can't be read as a usage.

    >>> read_usages(["WATER=12.5 m3 @ 3.20"])
    {'WATER': Usage(used=Decimal('12.5'), unit='m³', price=Decimal('3.20'))}
    """
    try:
        return dict(usage_cells.read_usages(";".join(texts), COUNTRIES["US"], "", ".")) if texts else {}
    except Unclear as unclear:
        raise InvalidRequest.because([Problem("usage", unclear.why)]) from None


def months_of(tx: Tx, caller: Caller, bill_id: str) -> list[str]:
    """List the months in which a bill has corrections, whatever was decided about them."""
    return sorted({correction.row.month for correction in _shown(tx, caller, bill_id)})


def next_months(tx: Tx, caller: Caller, bill_id: str) -> list[str]:
    """List the months on whose invoices tenants would get the corrections of a bill.

    The list is empty if no invoice with the bill has been sent. Raises `NotFound` if there is no such bill.
    """
    row = access.bill(tx, caller, bill_id)
    months = [line.month for line in bill_lines.stored(tx, caller, row.id).lines]
    return correction_decisions.next_months(tx, caller, row.property_id, months)


def place(tx: Tx, caller: Caller, bill_id: str) -> list[str]:
    """Charge the pending corrections of one bill on the next invoices.

    Corrections of other bills stay pending. Return the months whose invoices will include this bill's corrections.
    """
    shown = _shown(tx, caller, bill_id)
    months = sorted({correction.row.month for correction in shown if correction.row.waiting_amount})
    if months:
        correction_decisions.decide(tx, caller, shown[0].row.property_id, months, "next", bill_id=bill_id)
        shown = _shown(tx, caller, bill_id)
    return sorted({correction.goes_to for correction in shown if correction.goes_to})


def _shown(tx: Tx, caller: Caller, bill_id: str) -> list[ShownCorrection]:
    """List the corrections of a bill's lines with what was decided about them."""
    row = access.bill(tx, caller, bill_id)
    months = sorted({line.month for line in bill_lines.stored(tx, caller, row.id).lines})
    shown = correction_decisions.of_property(tx, caller, row.property_id, months)
    return [correction for correction in shown if correction.row.bill_id == row.id]
