"""The total of a bill and the lines it is billed by, in cents. Label and arithmetic have to agree, else it is asked."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from prorata.domain.intake.bill_reading.ambiguities import SEVERAL, Named, doubt_of, doubt_of_arrears, doubt_of_asides
from prorata.domain.intake.bill_reading.amount_roles import Role, is_credit_balance
from prorata.domain.intake.bill_reading.amount_rows import MoneyRow
from prorata.domain.intake.bill_reading.draft import Budget, Line, Reading, asked, found, missing
from prorata.domain.intake.bill_reading.locale_evidence import Evidence
from prorata.domain.intake.bill_reading.numbers import read_amount
from prorata.domain.intake.bill_reading.text_folding import plain
from prorata.domain.intake.bill_reading.time_words import Days
from prorata.domain.intake.bill_reading.total_arithmetic import (
    CURRENT,
    Part,
    Solution,
    as_stated,
    divided,
    is_of,
    is_stated_sum,
    perhaps_of_all,
    runs_of,
    solutions,
)
from prorata.domain.money import in_figures

MOST_AMOUNTS, MOST_CHOICES = 300, 10
"""Amounts with words beside them that are thought about; a bill of many pages has some hundred. And values offered."""
_NO_SUM = "The amounts that were read do not sum to the total."
_NOT_AS_STATED = "The charges that are listed do not come to the sum that the bill states for them."
_PAY = re.compile(
    r"\b(pay|remit|owe|withdraw|debit|charge|draft|send)\b|uberweis|zahlen|begleich|abbuch|einzieh|preleve|regler|payer|vers(er|ez)"
    r"|pagar|abonar|abone|pague|cargar"
)
_FIGURES = re.compile(r"[0-9][0-9., ]*[.,][0-9]{2}(?![0-9])")
Lines = tuple[Line, ...]


class Amounts(NamedTuple):
    """What was read of a bill's money."""

    total: Reading[int]
    lines: Reading[Lines]
    budget: Budget | None


def amounts_of(rows: Sequence[MoneyRow], named: Named, evidence: Evidence, service: Days | None) -> Amounts:
    """The total, and the lines that sum to it."""
    budget = _budget(rows)
    known = [row for row in rows if row.role is not Role.ASIDE and row.amount.cents is not None]
    totals = _totals(known)
    places = tuple(row.place for row in totals)
    values = tuple(dict.fromkeys(_owed(row) for row in totals))
    no_lines: Reading[Lines] = asked("The lines are known once the total is.")
    if not values:
        return Amounts(missing("total"), no_lines, budget)
    several = next((row for row in totals if row.rivals), None)
    if several:
        every = tuple(dict.fromkeys((*several.rivals, several.cents)))
        return Amounts(asked(SEVERAL.format(several.words), *every, places=places), no_lines, budget)
    why = _why_no_total(rows, totals, values, evidence) or _why_another_total(known, values[0], named.texts)
    if why:
        return Amounts(asked(why, *values[:MOST_CHOICES], places=places[:MOST_CHOICES]), no_lines, budget)
    doubt = doubt_of(known, named, service, evidence.order) or doubt_of_asides(rows, named.texts)
    return _closed(values[0], totals, known, sorted(named.in_rows | named.in_titles), doubt, budget)


def _why_no_total(
    rows: Sequence[MoneyRow], totals: Sequence[MoneyRow], values: Sequence[int], evidence: Evidence
) -> str | None:
    """Why what is to be paid is not plain, by all the amounts of a bill."""
    if all(row.nearby.former for row in totals):
        return f"“{totals[0].words}” stands under “{totals[0].nearby.former}”: it may be of another bill."
    if evidence.mixed_marks or evidence.mixed_currencies:
        return "The bill writes amounts in two ways, or in two currencies."
    if any(row.amount.cents is None and row.role is Role.TOTAL for row in rows):
        return (
            "An amount to be paid reads two ways: by its mark, which may divide thousands or decimals, or by its signs."
        )
    if len(rows) > MOST_AMOUNTS:
        return "The bill shows too many amounts to see which of them belong together."
    return "The bill shows more than one amount to be paid." if len(values) > 1 else None


def _why_another_total(rows: Sequence[MoneyRow], total: int, texts: Sequence[str]) -> str | None:
    """Why more than what seems the total may be to be paid: an amount of the bill is that total and what was carried
    over, or, where no words beside an amount say that it is to be paid, a sentence does so of another.
    """
    left = {row.cents for row in rows if row.role in (Role.CARRIED, Role.PREVIOUS)} - {0}
    if more := next((row for row in rows if row.cents - total in left and row.cents > total > 0), None):
        return f"“{more.words}” is {in_figures(more.cents)}, which is more by what was carried over."
    if any(row.role is Role.TOTAL for row in rows):
        return None
    for text in texts:
        if _PAY.search(plain(text)):
            amounts = (read_amount(written) for written in _FIGURES.findall(text))
            if other := next((one.cents for one in amounts if one and one.cents not in (None, 0, total)), None):
                return f"The bill lists {in_figures(total)}, and says in words that {in_figures(other)} is to be paid."
    return None


def _totals(rows: Sequence[MoneyRow]) -> list[MoneyRow]:
    """The rows that say what is to be paid; where none does, the one sum of the bill, when every
    amount on the bill is an item of it.
    """
    stated = [row for row in rows if row.role is Role.TOTAL]
    sums = [row for row in rows if row.role is Role.CURRENT]
    if stated or len({row.cents for row in sums}) != 1:
        return stated
    runs = [set(run) for one in sums for run in runs_of(one, rows)]
    whole = any(all(row in run or row in sums or is_stated_sum(row) for row in rows) for run in runs)
    items = {Role.ITEM, Role.CURRENT, Role.SUBTOTAL}
    return sums if whole and all(row.role in items for row in rows) else []


def _owed(row: MoneyRow) -> int:
    """What is to be paid; below zero where the words call it a credit."""
    return -abs(row.cents) if is_credit_balance(row.words) else row.cents


def _budget(rows: Sequence[MoneyRow]) -> Budget | None:
    """Budget billing, where the bill speaks of it beside an amount."""
    if not any(row.role in (Role.INSTALMENT, Role.USED) for row in rows):
        return None
    used = {row.amount.cents: row.place for row in rows if row.role is Role.USED}
    if len(used) == 1:
        ((cents, place),) = used.items()
        return Budget(cents, (place,))
    return Budget(None, tuple(used.values()))


def _closed(
    total: int,
    totals: Sequence[MoneyRow],
    rows: Sequence[MoneyRow],
    kinds: Sequence[str],
    doubt: str | None,
    budget: Budget | None,
) -> Amounts:
    places = tuple(row.place for row in totals)
    if budget:
        sure = any(row.role is Role.TOTAL for row in totals) and _budget_closes(total, rows)
        why = "Under budget billing what is due is not what was used. Say which of the two is to be divided."
        stated: Reading[int] = found(total, *places) if sure else asked(_NO_SUM, total, places=places)
        return Amounts(stated, asked(why), budget)
    solved = solutions(total, rows)
    if not solved:
        return Amounts(
            asked(f"{_NO_SUM} It is said to be {in_figures(total)}.", total, places=places), asked(_NO_SUM), None
        )
    agreeing = [parts for parts in solved if as_stated(parts, rows)]
    less = next((row.words for row in rows if row.role is Role.ITEM and row.cents < 0), None)
    if not agreeing and less and total <= 0:
        why = f"It is not plain what “{less}” takes off: it may be how the bill itself is paid."
        return Amounts(asked(why, total, places=places), asked(_NOT_AS_STATED), None)
    doubt = doubt or doubt_of_arrears(agreeing, rows)
    return Amounts(found(total, *places), _lines(agreeing, rows, kinds, doubt), None)


def _budget_closes(total: int, rows: Sequence[MoneyRow]) -> bool:
    """Whether what is due is an instalment with what was carried over, or what was used less what was paid so far."""
    instalments = {abs(row.cents) for row in rows if row.role is Role.INSTALMENT}
    used = {row.cents for row in rows if row.role in (Role.USED, Role.CURRENT)}
    paid = sum({abs(row.cents) for row in rows if row.role is Role.PAYMENT})
    before = {0} | {row.cents for row in rows if row.role is Role.CARRIED}
    before |= {row.cents - paid for row in rows if row.role is Role.PREVIOUS}
    sums = {one + left for one in instalments for left in before}
    return total in sums | {one - other for one in used for other in instalments}


def _lines(
    solved: Sequence[Solution], rows: Sequence[MoneyRow], kinds: Sequence[str], doubt: str | None
) -> Reading[Lines]:
    """The lines of the bill, when every way to sum its amounts that agrees with its stated sums gives the same ones."""
    if doubt:
        return asked(doubt)
    if not solved:
        return asked(_NOT_AS_STATED)
    read: dict[tuple[tuple[str, int], ...], Lines] = {}
    undecided = False
    for parts in solved:
        ways = _ways(parts, kinds, rows)
        undecided = undecided or not ways
        for way in ways:
            lines = _joined(way)
            read.setdefault(tuple((line.name, line.cents) for line in lines), lines)
    if undecided or not read:
        return asked(_why_undecided(kinds, rows), *read.values())
    if len(read) > 1:
        return asked("The amounts can be divided over the utilities in more than one way.", *read.values())
    (lines,) = read.values()
    return found(lines, *(place for line in lines for place in line.places))


def _why_undecided(kinds: Sequence[str], rows: Sequence[MoneyRow]) -> str:
    of_all = next(filter(None, (perhaps_of_all(kind, rows) for kind in kinds)), None) if len(kinds) > 1 else None
    if of_all:
        return f"It is not plain which utility “{of_all.words}” is for: it may be for all of them."
    return "What each utility comes to does not sum to the charges of the period."


def _ways(parts: Solution, kinds: Sequence[str], rows: Sequence[MoneyRow]) -> list[Solution]:
    """The ways to divide the period's charges over the utilities, with the other parts as they are."""
    current = [part for part in parts if part.name == CURRENT]
    credits_ = [part for part in parts if part.name == "CREDIT"]
    rest = [part for part in parts if part.name not in (CURRENT, "CREDIT")]
    whole = sum(part.cents for part in current)
    if len(kinds) == 1:
        if not is_of(whole, kinds[0], rows):
            return []
        return [(*(part._replace(name=kinds[0]) for part in (*current, *credits_)), *rest)]
    if credits_ or any(len(row.types) > 1 and row.cents != whole for row in rows if row.role is not Role.TOTAL):
        return []
    return [(*way, *rest) for way in divided(whole, kinds, rows)]


def _joined(parts: Sequence[Part]) -> Lines:
    """One line for each name, without those of nothing; utilities first."""
    joined: dict[str, Line] = {}
    for part in parts:
        before = joined.get(part.name, Line(part.name, 0, ()))
        places = (*before.places, *(row.place for row in part.rows))
        joined[part.name] = Line(part.name, before.cents + part.cents, places)
    lines = [line for line in joined.values() if line.cents]
    return tuple(sorted(lines, key=lambda line: line.name)) or tuple(joined.values())[:1]
