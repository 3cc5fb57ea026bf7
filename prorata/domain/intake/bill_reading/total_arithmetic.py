"""The arithmetic of a bill: which of its amounts sum to what is to be paid. What sums in two ways is not decided."""

import re
from collections.abc import Iterator, Sequence
from itertools import product, takewhile
from typing import NamedTuple

from prorata.domain.intake.bill_reading.amount_roles import (
    Role,
    is_known_item,
    is_of_the_customer,
    is_sum,
    is_tax,
    types_in,
)
from prorata.domain.intake.bill_reading.amount_rows import MoneyRow
from prorata.domain.intake.bill_reading.charge_vocabulary import are_known
from prorata.domain.intake.bill_reading.text_folding import plain

ALIGNED = 40
"""Tenths of a point by which the right edges of one column of amounts differ at most."""
_BEGINS = 10
"""The same of the left edges, where the amounts of a column begin below each other instead of ending so."""
_OF_WASTE = re.compile(
    r"\b(carts?|bins?|containers?|cans?|pick.?up|collection|disposal|tonne|leerung|collecte|recogida)\b"
)
"""What is of garbage, under whatever utility it stands."""
_MOST_OPTIONS = 3000
_MOST_CREDITS = 6
_NAMING = frozenset(
    [
        "service",
        "services",
        "charge",
        "charges",
        "bill",
        "usage",
        "solid",
        "kosten",
        "abrechnung",
        "potable",
        "usees",
        "de",
        "d'",
        "l'",
        "la",
        "el",
    ]
)

CARRIED = (Role.PREVIOUS, Role.PAYMENT, Role.CARRIED)
NOT_UTILITY = {Role.LATE_FEE: "LATE_FEE", Role.DEPOSIT: "DEPOSIT"}
SUMS = (Role.CARRIED, Role.SUBTOTAL, Role.CURRENT, Role.TOTAL)


class Part(NamedTuple):
    """An amount of cents that the total is made of, and the rows it comes from."""

    name: str
    cents: int
    rows: tuple[MoneyRow, ...]


Solution = tuple[Part, ...]
PREVIOUS = "PREVIOUS_BALANCE"
CURRENT = "CURRENT"
"""The names of what was carried over, and of the part that the period's utilities come to together."""


def solutions(total: int, rows: Sequence[MoneyRow]) -> tuple[Solution, ...]:
    """Every way in which what was carried over, fees and the period's charges sum to the total.

    Two that give each name the same cents are one.
    """
    found: dict[tuple[tuple[str, int], ...], Solution] = {}
    carried, fees = list(_carried(rows)), list(_beside(rows))
    for current, must_stand_beside in _stated(rows):
        for before, extra in product(carried, fees):
            parts = (*before, *extra, *current)
            beside = {row.cents for part in extra if part.name != "CREDIT" for row in part.rows}
            if beside >= must_stand_beside and sum(part.cents for part in parts) == total:
                found.setdefault(_names(parts), parts)
    for parts in _listed(total, rows):
        found.setdefault(_names(parts), parts)
    return tuple(found.values())


def _names(parts: Sequence[Part]) -> tuple[tuple[str, int], ...]:
    sums: dict[str, int] = {}
    for part in parts:
        sums[part.name] = sums.get(part.name, 0) + part.cents
    return tuple(sorted((name, cents) for name, cents in sums.items() if cents))


def _once(rows: Sequence[MoneyRow], *roles: Role) -> list[MoneyRow]:
    """The rows of some roles; of those that a later page repeats, or another place under the same words, one."""
    kept: dict[tuple[str, int], MoneyRow] = {}
    for row in rows:
        if row.role in roles:
            kept.setdefault((row.words.casefold(), row.cents), row)
    return list(kept.values())


def _different(rows: Sequence[MoneyRow], *roles: Role) -> list[MoneyRow]:
    """The rows of some roles, one for each amount."""
    return list({row.cents: row for row in reversed(_once(rows, *roles))}.values())


def _paid(row: MoneyRow) -> int:
    """A payment takes off what is due, whether or not it is printed with a sign."""
    return -abs(row.cents)


def _carried(rows: Sequence[MoneyRow]) -> Iterator[list[Part]]:
    """What earlier bills left: nothing, a stated balance, or the previous amount and what was paid of it."""
    yield []
    payments = _different(rows, Role.PAYMENT)
    paid = sum(_paid(row) for row in payments)
    for row in _different(rows, Role.CARRIED, Role.PREVIOUS):
        yield [Part(PREVIOUS, row.cents, (row,))]
        if payments:
            yield [Part(PREVIOUS, row.cents + paid, (row, *payments))]


def _beside(rows: Sequence[MoneyRow]) -> Iterator[list[Part]]:
    """Fees and credits that stand beside the period's charges: each of them does, or does not."""
    fees = _different(rows, *NOT_UTILITY)
    credits_ = _different(rows, Role.CREDIT)
    for chosen in product((False, True), repeat=min(len(fees) + len(credits_), _MOST_CREDITS)):
        parts = []
        for taken, row in zip(chosen, [*fees, *credits_], strict=False):
            if taken:
                name = NOT_UTILITY.get(row.role, "CREDIT")
                parts.append(Part(name, -abs(row.cents) if name == "CREDIT" else row.cents, (row,)))
        yield parts


def _stated(rows: Sequence[MoneyRow]) -> Iterator[tuple[Solution, set[int]]]:
    """The period's charges as one stated sum without the fees that it is shown to hold; and the fees, in cents, that
    have to stand beside it since it is not shown to hold them.
    """
    fees = {row.cents for row in _different(rows, *NOT_UTILITY)}
    alone = _alone(rows)
    if alone:
        yield (Part(CURRENT, sum(row.cents for row in alone), alone),), fees
    for row in (*_different(rows, Role.CURRENT), *_shown(rows)):
        yield (Part(CURRENT, row.cents, (row,)),), fees
        for same in (other for other in rows if other.role is row.role and other.cents == row.cents):
            for run in runs_of(same, rows):
                inside = [item for item in run if item.role in NOT_UTILITY]
                parts = [Part(NOT_UTILITY[fee.role], fee.cents, (fee,)) for fee in inside]
                held = sum(part.cents for part in parts)
                if inside:
                    yield (Part(CURRENT, row.cents - held, (row,)), *parts), fees - {item.cents for item in inside}


def _alone(rows: Sequence[MoneyRow]) -> tuple[MoneyRow, ...]:
    """The sums of one utility each, such as `Water charges`, where a bill lists nothing else for its period; or items
    of one utility each, such as `Electricity`, where it shows no amount at all but these and what is to be paid. One
    that stands there again may be of another month, or of another bill.
    """
    listed = tuple(row for row in rows if row.role in (Role.ITEM, Role.SUBTOTAL, Role.CURRENT))
    kinds = [kind for row in listed for kind in row.types]
    is_all = all(row.role in (Role.ITEM, Role.TOTAL) for row in rows)
    are_sums = all(
        row.role is Role.ITEM and row.types and (is_stated_sum(row) or (is_all and is_plain_item(row)))
        for row in listed
    )
    return listed if are_sums and len(kinds) == len(set(kinds)) else ()


def _listed(total: int, rows: Sequence[MoneyRow]) -> Iterator[Solution]:
    """The items right above the total that sum to it, where no sum is stated between."""
    for whole in (row for row in rows if row.role in (Role.TOTAL, Role.CURRENT) and row.cents == total):
        for run in (*runs_of(whole, rows), *_columns_of(whole, rows)):
            if any(row.role in (Role.INSTALMENT, Role.USED, Role.FOREIGN) for row in run):
                continue
            parts = [Part(NOT_UTILITY[row.role], row.cents, (row,)) for row in run if row.role in NOT_UTILITY]
            before = [row for row in run if row.role in CARRIED]
            if before:
                parts.append(Part(PREVIOUS, sum(signed(row) for row in before), tuple(before)))
            rest = [row for row in run if row.role not in NOT_UTILITY and row.role not in CARRIED]
            if rest:
                yield (*parts, Part(CURRENT, sum(signed(row) for row in rest), tuple(rest)))


def _columns_of(whole: MoneyRow, rows: Sequence[MoneyRow]) -> Iterator[tuple[MoneyRow, ...]]:
    """All the items of another column on the total's page, when they sum to it: the total stands apart in a box."""
    there = [row for row in rows if row.place.page == whole.place.page and row.role not in SUMS]
    for edge in sorted({row.place.right for row in there}):
        column = tuple(row for row in there if 0 <= row.place.right - edge <= ALIGNED and not is_stated_sum(row))
        if len(column) > 1 and sum(signed(row) for row in column) == whole.cents:
            yield column


def signed(row: MoneyRow) -> int:
    """What a row adds to the sum below it."""
    return _paid(row) if row.role is Role.PAYMENT else row.cents


def _shown(rows: Sequence[MoneyRow]) -> list[MoneyRow]:
    """The rows whose words say nothing, but that the items above them sum to."""
    return [row for row in _different(rows, Role.ITEM) if not row.types and is_shown_sum(row, rows)]


def is_shown_sum(row: MoneyRow, rows: Sequence[MoneyRow]) -> bool:
    """Whether the two or more items right above a row, in its column, sum to it."""
    return bool(_items_of(row, rows))


def _items_of(row: MoneyRow, rows: Sequence[MoneyRow]) -> list[MoneyRow]:
    """The two or more items right above a row, in its column, that sum to it; none when they do not."""
    for above in _columns_above(row, rows):
        items: list[MoneyRow] = []
        for item in reversed(above):
            if item.role in (Role.ASIDE, *SUMS) or is_stated_sum(item):
                continue
            items.append(item)
            if len(items) > 1 and sum(signed(one) for one in items) == row.cents:
                return items
    return []


def _sums_of(kind: str, rows: Sequence[MoneyRow]) -> list[MoneyRow]:
    """The sums of one utility: those whose words say so, and those that items above sum to, if plain of what."""
    mine = [
        row
        for row in rows
        if row.types == {kind}
        and row.role in (Role.ITEM, Role.CURRENT, Role.SUBTOTAL)
        and all(one.role is not Role.ITEM or is_plain_item(one) for one in _items_of(row, rows))
    ]
    return [
        row
        for row in mine
        if is_stated_sum(row)
        or row.role in (Role.CURRENT, Role.SUBTOTAL)
        or ((items := _items_of(row, rows)) and (not row.from_heading or all(map(is_plain_item, items))))
    ]


def _columns_above(whole: MoneyRow, rows: Sequence[MoneyRow]) -> Iterator[list[MoneyRow]]:
    """The amounts above a row that end where it ends, and those that begin where it begins, from the top."""
    above = [row for row in rows if row.place.page == whole.place.page and row.line < whole.line]
    yield [row for row in above if abs(row.place.right - whole.place.right) <= ALIGNED]
    yield [row for row in above if abs(row.place.left - whole.place.left) <= _BEGINS]


def runs_of(whole: MoneyRow, rows: Sequence[MoneyRow]) -> list[tuple[MoneyRow, ...]]:
    """The items right above a sum, in its column, that sum to it; sums on the way are no items. Amounts that begin at
    one edge are a column where those that end at one have no such items.
    """
    return next(filter(None, (_runs_in(above, whole, rows) for above in _columns_above(whole, rows))), [])


def _runs_in(above: Sequence[MoneyRow], whole: MoneyRow, rows: Sequence[MoneyRow]) -> list[tuple[MoneyRow, ...]]:
    run: list[MoneyRow] = []
    runs, reached = [], 0
    for row in reversed(above):
        is_sum_of_some = is_stated_sum(row) and any(
            other.types == row.types for other in above if other.line < row.line
        )
        if row.role in (Role.ASIDE, *SUMS) or is_sum_of_some or (row.role is Role.ITEM and is_shown_sum(row, rows)):
            continue
        run.append(row)
        reached += signed(row)
        if reached == whole.cents and len(run) > 1:
            runs.append(tuple(reversed(run)))
    return runs


def is_stated_sum(row: MoneyRow) -> bool:
    """Whether a row's words call it the sum of one utility: `Total water charges`."""
    return row.role in (Role.ITEM, Role.CURRENT, Role.SUBTOTAL) and is_sum(row.words) and not is_tax(row.words)


def divided(whole: int, kinds: Sequence[str], rows: Sequence[MoneyRow]) -> tuple[Solution, ...]:
    """Every way in which the amounts that name one utility each sum to the period's charges.

    Of each utility count: its stated sum (or its several, for two meters), or its items together, on one page or all.
    """
    options = [list(_options(kind, rows)) for kind in kinds]
    count = 1
    for choice in options:
        count *= len(choice)
    if not 0 < count <= _MOST_OPTIONS:
        return ()
    found: dict[tuple[int, ...], Solution] = {}
    for parts in product(*options):
        if sum(part.cents for part in parts) == whole:
            found.setdefault(tuple(part.cents for part in parts), parts)
    return tuple(found.values())


def _options(kind: str, rows: Sequence[MoneyRow]) -> Iterator[Part]:
    mine = [row for row in rows if row.types == {kind} and row.role in (Role.ITEM, Role.CURRENT, Role.SUBTOTAL)]
    stated = _sums_of(kind, rows)
    items = [row for row in mine if row not in stated]
    if not all(is_plain_item(row) for row in items) or perhaps_of_all(kind, rows):
        items = []
    choices: list[list[MoneyRow]] = [[row] for row in stated]
    choices += [stated, items, _once(items, Role.ITEM)]
    choices += [[row for row in items if row.place.page == page] for page in sorted({row.place.page for row in items})]
    choices += [[row] for row in items if not row.from_heading and len(items) > 1 and _is_the_name(row)]
    seen = set()
    for choice in choices:
        cents = sum(row.cents for row in choice)
        if choice and cents not in seen:
            seen.add(cents)
            yield Part(kind, cents, tuple(choice))


def perhaps_of_all(kind: str, rows: Sequence[MoneyRow]) -> MoneyRow | None:
    """The tax, or other charge of a whole account, that the items of the last heading end with, if the utilities above
    have none of their own: nothing shows that it is of the last one alone.
    """
    stated = _sums_of(kind, rows)
    own = [row for row in rows if row.types == {kind} and row.role is Role.ITEM and row.from_heading]
    other = [row for row in rows if len(row.types) == 1 and row.types != {kind} and row.role is Role.ITEM]
    own = [row for row in own if row not in stated]
    if not own or any(row.from_heading and _position(row) > _position(own[-1]) for row in other):
        return None
    at_end = list(takewhile(lambda row: is_tax(row.words) or is_of_the_customer(row.words), reversed(own)))
    for says in (is_tax, is_of_the_customer):
        these = [row for row in at_end if says(row.words)]
        for name in {name for row in other for name in row.types}:
            if sum(1 for row in other if row.types == {name} and says(row.words)) < len(these):
                return these[0]
    return None


def _position(row: MoneyRow) -> tuple[int, int]:
    return row.place.page, row.line


def is_plain_item(row: MoneyRow) -> bool:
    """Whether a row's own words name its utility, or a known part of a utility's price, and nothing that is unknown."""
    is_of_waste = row.from_heading and "GARBAGE" not in row.types and bool(_OF_WASTE.search(plain(row.words)))
    named = (bool(row.types) and not row.from_heading) or is_known_item(row.words)
    return named and are_known(row.words) and not is_of_waste


def as_stated(parts: Solution, rows: Sequence[MoneyRow]) -> bool:
    """Whether the period's charges in a solution are what each stated sum of the charges says: as they are, or with
    fees, credits or what was carried over. Otherwise something among them is of another period.
    """
    kinds = frozenset().union(*(row.types for row in rows if row.role is not Role.ASIDE))
    current = [part for part in parts if part.name == CURRENT]
    within = [-row.cents for part in current for row in part.rows if row.role is Role.CREDIT]
    may_be = {sum(part.cents for part in current)}
    for cents in (*(part.cents for part in parts if part.name != CURRENT), *within[:_MOST_CREDITS]):
        may_be |= {one + cents for one in may_be}
    stated = (row for row in rows if row.role is Role.CURRENT and (not row.types or row.types == kinds))
    return all(row.cents in may_be for row in stated)


def is_of(whole: int, kind: str, rows: Sequence[MoneyRow]) -> bool:
    """Whether the period's charges are shown to be of one utility: by its stated sums, or by items whose words are all
    known; or there is no item at all that could be of something else.
    """
    items = [row for row in rows if row.role in (Role.ITEM, Role.SUBTOTAL) and row.cents not in (0, whole)]
    if not items:
        return True
    stated = _sums_of(kind, rows)
    amounts = {row.cents for row in stated}
    if whole in amounts or whole == sum(row.cents for row in stated):
        return True
    sums = [row for row in rows if row.role in (Role.TOTAL, Role.CURRENT)]
    return any(
        sum(signed(row) for row in own) == whole and all(is_plain_item(row) or row.role is Role.CREDIT for row in own)
        for one in sums
        for run in runs_of(one, rows)
        if (own := [row for row in run if row.role not in NOT_UTILITY and row.role not in CARRIED])
    )


def _is_the_name(row: MoneyRow) -> bool:
    """Whether a row's words are hardly more than the utility's name, as in a summary: `Water service`."""
    return all(types_in(word) or word in _NAMING for word in plain(row.words).split())
