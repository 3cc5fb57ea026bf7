"""Rules that divide a bill's amounts into lines by the words beside each amount.

The rules are learned from a confirmed bill: the amounts printed above the total that add up to it are matched with
the confirmed lines, such as gas and a late fee, one line per amount. On the issuer's next bill, the words beside
an amount then identify its utility or unbilled reason, but only if all the amounts identified this way add up to
the total.
"""

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise, product
from math import prod
from typing import NamedTuple

from prorata.domain.groups import added_up
from prorata.domain.intake.bill_reading.spots import Sheet, Spot, masked
from prorata.domain.intake.bill_reading.text_folding import has_figures
from prorata.domain.intake.bill_reading.utility_words import reasons_in, types_in
from prorata.domain.intake.bill_reading.words import Place
from prorata.domain.intake.pointing.amount_words import (
    CARRIED,
    is_a_sum,
    is_apart,
    is_of_before,
    is_of_now,
    is_paid,
    is_plain_sum,
    signed,
    without_readings,
    words_of,
)

_LONGEST_RUN, _MOST_WAYS = 14, 60_000
_NEAR = 60
_BAND = 600
_CHARGES = re.compile(r"(new|current|total|this) (\w+ )?charges|charges? for|this bill")
_MOST_OPTIONS, _LONGEST_HEADING = 4, 4


class Rule(NamedTuple):
    """A rule that assigns an amount to a `kind` of line by words beside it.

    A kind is a utility or an unbilled reason. `page` and `x` are the page and the column in which the amount was
    on the confirmed bill. `sign` is -1 for a deduction printed without a minus sign. `is_repeated` means that
    several amounts had these words, as in the rows of a table.
    """

    words: str
    kind: str
    page: int
    x: int
    sign: int = 1
    is_repeated: bool = False


class Row(NamedTuple):
    """An amount on a bill, with the line kind that a rule assigns to it."""

    kind: str
    cents: int
    place: Place


Way = tuple[Rule, ...]
"""The rules by which the amounts of a bill are divided into its lines."""


def ways_of(
    spots: Sequence[Spot], total: int, lines: Mapping[str, int], pointed: Mapping[str, Sequence[Spot]]
) -> tuple[Way, ...]:
    """List sets of rules that divide a bill's amounts into its confirmed lines.

    `spots` are the bill's amounts. A set covers all amounts printed above the `total` that add up to it, or one
    amount for each line. `lines` are the confirmed cents by kind. If a person marked the amounts of lines on the
    page (`pointed`), only these amounts are used.
    """
    wanted = {kind: cents for kind, cents in lines.items() if cents}
    if pointed:
        way = tuple(_rule(spot, kind, 1) for kind, its in pointed.items() for spot in its)
        return (_with_repeated(way, spots),) if comes_to(way, spots, wanted) else ()
    listed = sorted(
        _ways(spots, total, wanted),
        key=lambda way: (len(way), -sum(is_a_sum(rule.words) for rule in way)),
        reverse=True,
    )
    single = _single(spots, wanted)
    first = (next((way for way in ways if comes_to(way, spots, wanted)), None) for ways in (listed, single))
    return tuple(dict.fromkeys(_with_repeated(way, spots) for way in first if way))


def _with_repeated(way: Way, spots: Sequence[Spot]) -> Way:
    return tuple(rule._replace(is_repeated=len(_of_rule(rule, spots)) > 1) for rule in way)


def _single(spots: Sequence[Spot], wanted: Mapping[str, int]) -> Iterator[Way]:
    """Yield sets of rules in which each line is one amount of the bill.

    Amounts whose words name the line's kind come first, those of earlier bills last.
    """
    options = []
    for kind, cents in wanted.items():
        its = {words_of(spot): spot for spot in reversed(spots) if spot.cents == cents and words_of(spot)}
        ranked = sorted(
            its.values(),
            key=lambda spot: (
                not _names(kind, spot),
                not _says_charges(spot),
                _is_carried(spot),
                spot.place.page,
                spot.place.top,
            ),
        )
        options.append([_rule(spot, kind, 1) for spot in ranked[:_MOST_OPTIONS]])
    yield from product(*options)


def _says_charges(spot: Spot) -> bool:
    return _CHARGES.search(words_of(spot)) is not None


def _names(kind: str, spot: Spot) -> bool:
    return kind in types_in(words_of(spot)) | reasons_in(words_of(spot))


def comes_to(rules: Sequence[Rule], spots: Sequence[Spot], wanted: Mapping[str, int]) -> bool:
    """True if the rules, applied to a bill's amounts, produce the wanted lines."""
    sums = added_up((row.kind, row.cents) for row in rows_by(rules, spots))
    return {kind: cents for kind, cents in sums.items() if cents} == wanted


def rows_by(rules: Sequence[Rule], spots: Sequence[Spot]) -> list[Row]:
    """Return the amounts on a bill to which rules assign a kind of line."""
    its_rows = []
    for rule in dict.fromkeys(rules):
        its_rows += [Row(rule.kind, rule.sign * spot.cents, spot.place) for spot in _of_rule(rule, spots)]
    return its_rows


def _of_rule(rule: Rule, spots: Sequence[Spot]) -> list[Spot]:
    its = [spot for spot in spots if is_of_rule(spot, rule)]
    return [spot for spot in its if spot.place.page == rule.page] or its


def is_of_rule(spot: Spot, rule: Rule) -> bool:
    """True if an amount has a rule's words beside it and is in its column."""
    return words_of(spot) == rule.words and in_column(spot, rule)


def in_column(spot: Spot, rule: Rule) -> bool:
    """True if an amount is in the column of a rule."""
    return abs(spot.edge - rule.x) <= _NEAR


def single_rows(way: Way, spots: Sequence[Spot]) -> list[Row] | None:
    """List the amounts on a bill to which the rules of `way` assign kinds.

    If different amounts have the words of one rule, those that are sums of other amounts are left out. If none of
    them is such a sum, return None, because some of the amounts may be for another period.
    """
    rows = rows_by(way, spots)
    if not _is_doubled(way, spots):
        return rows
    kept = _rows_without_sums(rows)
    return kept if len(kept) < len(rows) else None


def _is_doubled(way: Way, spots: Sequence[Spot]) -> bool:
    if any(rule.is_repeated for rule in way):  # a table's rows vary
        return False
    return bool(_doubled(way, spots))


def _doubled(way: Way, spots: Sequence[Spot]) -> list[Spot]:
    """List the amounts that share the words of one rule but differ from each other."""
    its = ([spot for spot in _of_rule(rule, spots) if spot.cents] for rule in way)
    return [spot for of_rule in its if len({spot.cents for spot in of_rule}) > 1 for spot in of_rule]


def summed_rows(way: Way, spots: Sequence[Spot], totals: Container[int]) -> list[Row] | None:
    """List the amounts to which `way` applies, if the bill sums the repeated ones.

    `way` is a set of rules. Amounts are repeated if they differ but have the same words beside them, for example
    because a rate changed within the period. Return None if the bill doesn't state their sum, or if this sum is
    one of the `totals`.
    """
    doubled = sum(spot.cents for spot in _doubled(way, spots))
    is_stated = doubled not in totals and any(spot.cents == doubled for spot in spots)
    return rows_by(way, spots) if doubled and is_stated else None


def _rows_without_sums(rows: Sequence[Row]) -> list[Row]:
    """Remove rows whose amount is the sum of two or more rows just above.

    The same words may be beside a sum and beside its parts.
    """
    kept: list[Row] = []
    for row in sorted(rows, key=lambda row: (row.place.page, row.place.top)):
        sums = accumulate(kept_row.cents for kept_row in reversed(kept) if kept_row.place.page == row.place.page)
        if row.cents not in list(sums)[1:]:
            kept.append(row)
    return kept


def less_payment(rows: list[Row], spots: Sequence[Spot], totals: Container[int]) -> list[Row]:
    """Deduct a payment from the previous balance, if the bill states both.

    The payment is added to the rows only if they then sum to one of the `totals`.
    """
    comes = sum(row.cents for row in rows)
    if comes in totals or all(row.kind != CARRIED for row in rows):
        return rows
    for spot in spots:
        paid = abs(spot.cents)
        if paid and comes - paid in totals and is_paid(words_of(spot)):
            return [*rows, Row(CARRIED, -paid, spot.place)]
    return rows


def _rule(spot: Spot, kind: str, sign: int) -> Rule:
    return Rule(words_of(spot), kind, spot.place.page, spot.edge, sign)


def _ways(spots: Sequence[Spot], total: int, wanted: Mapping[str, int]) -> Iterator[tuple[Rule, ...]]:
    """Yield rules by which amounts printed above the total make up the bill's lines."""
    kinds = tuple(wanted) if CARRIED in wanted else (*wanted, CARRIED)
    for run in runs_above(spots, total):
        yield from _assigned(run, kinds, wanted)


def runs_above(spots: Sequence[Spot], total: int) -> Iterator[list[Spot]]:
    """Yield lists of consecutive amounts that end just above the bill's total.

    Each list goes one amount further up than the list before; amounts that are sums of others are left out. The
    first lists contain only amounts in the total's own column, the later ones also amounts in columns to the left.
    """
    for whole in (spot for spot in spots if spot.cents == total):
        band = [
            spot
            for spot in spots
            if spot.place.page == whole.place.page
            and -_BAND <= spot.edge - whole.edge <= _NEAR
            and spot.place.top < whole.place.top
        ]
        column = [spot for spot in band if abs(spot.edge - whole.edge) <= _NEAR]
        for part in (column, band):
            for length in range(1, min(len(part), _LONGEST_RUN) + 1):
                yield _without_sums(part[-length:])


def _without_sums(run: Sequence[Spot]) -> list[Spot]:
    """List the nonzero amounts of a run, top to bottom, without sums.

    An amount is a sum if it equals the sum of two or more amounts just above or below it. It is also a sum if its
    words say so and it equals the amount just above or below it. Two adjacent amounts that cancel each other out
    are removed too.
    """
    kept = [spot for spot in run if spot.cents]
    for spot in tuple(kept):
        at = kept.index(spot)
        if _is_sum(spot, kept[:at][::-1]) or _is_sum(spot, kept[at + 1 :]):
            kept.remove(spot)
    for first_spot, other in pairwise(tuple(kept)):
        if first_spot.cents + other.cents == 0 and first_spot in kept and other in kept:
            kept.remove(first_spot)
            kept.remove(other)
    return kept


def _is_sum(spot: Spot, others: Sequence[Spot]) -> bool:
    sums = 0
    for number, other in enumerate(others):
        sums += signed(other)
        if sums == spot.cents and (number or is_plain_sum(words_of(spot))):
            return True
    return False


def _assigned(run: Sequence[Spot], kinds: Sequence[str], wanted: Mapping[str, int]) -> Iterator[tuple[Rule, ...]]:
    cents_of = [signed(spot) for spot in run]
    if not run or sum(cents_of) != sum(wanted.values()) or not all(map(words_of, run)):
        return
    options = [
        kinds if _is_carried(spot) else [kind for kind in kinds if kind != CARRIED or CARRIED in wanted] for spot in run
    ]
    if prod(map(len, options)) > _MOST_WAYS:
        return
    assignments = []
    for chosen in product(*options):
        sums = dict.fromkeys(kinds, 0)
        for kind, cents in zip(chosen, cents_of, strict=True):
            sums[kind] += cents
        if {kind: cents for kind, cents in sums.items() if cents} == wanted:
            assignments.append(chosen)
    plain = [
        chosen
        for chosen in assignments
        if all((kind == CARRIED) == _is_carried(spot) for kind, spot in zip(chosen, run, strict=True))
    ]
    for chosen in plain or assignments:
        if len(plain or assignments) == 1:
            yield tuple(
                _rule(spot, kind, 1 if cents == spot.cents else -1)
                for spot, kind, cents in zip(run, chosen, cents_of, strict=True)
            )


def _is_carried(spot: Spot) -> bool:
    words = words_of(spot)
    return is_paid(words) or is_of_before(words)


def carries_over(spots: Sequence[Spot]) -> bool:
    """True if a bill states an unpaid remainder of earlier bills.

    A payment of an amount that appears nowhere else on the bill counts as a sign of such a remainder.
    """
    before = [spot.cents for spot in spots if is_of_before(words_of(spot)) and not is_paid(words_of(spot))]
    paid = {abs(spot.cents) for spot in spots if is_paid(words_of(spot))}
    stated = {spot.cents for spot in spots if not is_paid(words_of(spot))}
    is_left = any(before) and 0 not in before and not all(cents in paid for cents in before)
    return is_left or not paid <= {0, *stated}


def new_words(sheet: Sheet, known: Container[str]) -> Iterator[str]:
    """Yield words that the issuer's bills did not have before, except those about a utility.

    The words are beside an amount and name something like a fee or deposit, or they are a dividing heading.
    """
    for spot in sheet.spots("money"):
        if spot.cents and (words := words_of(spot)) not in known and is_apart(words):
            yield words
    yield from (words for words in dividing_headings(sheet) if words not in known)


def has_new_items(sheet: Sheet, sums: Sequence[Row], known: Container[str]) -> bool:
    """True if the column of a sum also has an amount with unknown words.

    Words are unknown if they aren't in `known`. Such an amount may be a new item of the issuer's bills.
    """
    return any(
        spot.cents and words_of(spot) not in known and spot.place.page == row.place.page
        and abs(spot.place.right - row.place.right) <= _NEAR
        for row in sums for spot in sheet.spots("money")
    )  # fmt: skip


def hides_new(sheet: Sheet, total: int, known: Container[str], utilities: Container[str]) -> bool:
    """True if a bill with a single known amount may contain something new.

    Either the words beside an amount name a utility that is not in `utilities`, or an amount with unknown words is
    part of a sum that makes up the total.
    """
    spots = [spot for spot in sheet.spots("money") if spot.cents]
    if any(kind not in utilities for spot in spots for kind in types_in(words_of(spot))):
        return True
    news = [spot for spot in spots if words_of(spot) not in known and spot.cents != total]
    return any(_is_in_sum(spot, spots, total) for spot in news)


def _is_in_sum(new: Spot, spots: Sequence[Spot], total: int) -> bool:
    column = [spot for spot in spots if spot.place.page == new.place.page and abs(spot.edge - new.edge) <= _NEAR]
    at = column.index(new)
    nearest = column[max(0, at - _LONGEST_RUN) : at + _LONGEST_RUN]
    runs = (accumulate(spot.cents for spot in nearest[first:]) for first in range(nearest.index(new) + 1))
    return any(total in list(run)[1:] for run in runs)


def dividing_headings(sheet: Sheet) -> Iterator[str]:
    """Yield the masked headings that set this bill's charges apart from an earlier bill's.

    Words beside an amount are not headings.
    """
    labels = {words_of(spot) for spot in sheet.spots("money")}
    for cell in sheet.cells():
        if len(cell.words) <= _LONGEST_HEADING and not any(has_figures(word.text) for word in cell.words):
            words = masked(cell.text)
            if words not in labels and (is_of_before(words) or is_of_now(words)):
                yield words


def named_rows(spots: Sequence[Spot], known: Container[str]) -> dict[str, Row]:
    """Map words that name exactly one unbilled reason to the amounts beside them.

    Words in `known` are left out.
    """
    rows: dict[str, Row] = {}
    for spot in spots:
        words = without_readings(words_of(spot))
        if spot.cents and words_of(spot) not in known and not is_paid(words) and not types_in(words):
            rows |= {words_of(spot): Row(reason, spot.cents, spot.place) for reason in reasons_in(words)}
    return {
        words: row
        for words, row in rows.items()
        if len(reasons_in(words)) == 1 and (row.cents > 0 or row.kind != CARRIED)
    }
