"""Dividing a bill into lines by its own words, without a rule for all amounts.

The amounts whose use is known must sum to the bill's total.
"""

from collections.abc import Collection, Iterator, Sequence

from prorata.domain.groups import added_up
from prorata.domain.intake.bill_reading.spots import Sheet, Spot
from prorata.domain.intake.bill_reading.utility_words import is_named, is_priced, reasons_in, types_in
from prorata.domain.intake.pointing.amount_words import (
    CARRIED,
    is_paid,
    is_plain_sum,
    signed,
    undated,
    without_readings,
    words_of,
)
from prorata.domain.intake.pointing.lessons import Layout
from prorata.domain.intake.pointing.line_rules import (
    Row,
    carries_over,
    dividing_headings,
    in_column,
    is_of_rule,
    runs_above,
)
from prorata.domain.utility_names import UTILITY_TYPES


class Telling:
    """The use of each amount on a bill.

    A use is a utility, or a reason for which no tenant pays. The use of an amount is known if a line rule of
    `layout` has the same words and column; if the amount is in a column of such a rule, and its words name a single
    utility, or are `familiar` and about the price of a single utility that was `billed` before; or if its words name
    a single reason. If a utility is new, the words of each charge must name its utility, because words such as
    "sales tax" may then be about several utilities.
    """

    def __init__(self, sheet: Sheet, layout: Layout, billed: Collection[str], familiar: Collection[str]) -> None:
        self._spots, self._seen, self._familiar = sheet.spots("money"), layout.amounts, familiar
        self._billed = {kind for kind in billed if kind in UTILITY_TYPES}
        self._rules = [rule for way in layout.lines for rule in way]
        self._is_left = carries_over(self._spots)
        self._apart = {words_of(spot) for spot in self._spots if spot.cents and self._is_new_reason(spot)}
        self._is_silent = any(words not in self._seen for words in dividing_headings(sheet))

    def _is_new_reason(self, spot: Spot) -> bool:
        words = words_of(spot)
        return words not in self._seen and bool(reasons_in(without_readings(words)) - {CARRIED})

    def rows(self, total: int) -> Iterator[list[Row]]:
        """List the ways in which amounts of known use add up to a total.

        The amounts are printed above the total. One of them may be a sum, which is then replaced by the charges
        printed above it, if their uses are known. If the bill has a new fee or an unpaid earlier balance, the
        amounts must include it.
        """
        if self._is_silent:
            return
        for run in self._runs(total):
            rows = self._rows_of(run, is_whole=True)
            is_all = self._apart <= {words_of(spot) for spot in run}
            if rows and is_all and (not self._is_left or any(row.kind == CARRIED for row in rows)):
                yield rows

    def _runs(self, total: int) -> Iterator[list[Spot]]:
        return (run for run in runs_above(self._spots, total) if sum(map(signed, run)) == total)

    def _rows_of(self, run: Sequence[Spot], is_whole: bool) -> list[Row]:
        rows: list[Row] = []
        kinds = {spot: self._kind_of(spot) for spot in run}
        for spot, kind in kinds.items():
            words = words_of(spot)
            if is_plain_sum(words) and not types_in(words):
                rows += self._charges(spot.cents) if is_whole else ()
            elif is_paid(words):
                if is_whole and words in self._seen and CARRIED in kinds.values():
                    rows.append(Row(CARRIED, signed(spot), spot.place))
            elif kind:
                rows.append(Row(kind, spot.cents, spot.place))
        is_all = sum(row.cents for row in rows) == sum(map(signed, run))
        is_each_once = len({words_of(spot) for spot in run}) == len(run)
        utilities = {spot: kind for spot, kind in kinds.items() if kind in UTILITY_TYPES}
        is_each_named = all(kind in types_in(words_of(spot)) for spot, kind in utilities.items())
        is_new = not self._billed.issuperset(utilities.values())
        return rows if is_all and is_each_once and (is_each_named or not is_new) else []

    def _charges(self, total: int) -> list[Row]:
        """List the charges that add up to a total, each with its use.

        If several runs of amounts printed above the total add up to it, they must agree on the sum for each use;
        otherwise the list is empty.
        """
        told = [rows for run in self._runs(total) if (rows := self._rows_of(run, is_whole=False))]
        sums = {frozenset(added_up((row.kind, row.cents) for row in rows).items()) for rows in told}
        return told[0] if len(sums) == 1 else []

    def _kind_of(self, spot: Spot) -> str | None:
        words = words_of(spot)
        known, types = {rule.kind for rule in self._rules if is_of_rule(spot, rule)}, types_in(words)
        if known:
            return next(iter(known)) if len(known) == 1 and types <= known else None
        if words not in self._seen and undated(words) in self._seen:  # the same charge of another time
            return None
        reasons = reasons_in(without_readings(words))
        if types or not reasons:
            kinds = types or self._billed
            if len(kinds) != 1 or not any(in_column(spot, rule) for rule in self._rules):
                return None
            (kind,) = kinds
            if kind in self._billed:
                return kind if words in self._familiar and is_priced(words, kind) else None
            return kind if spot.cents > 0 and is_named(words, kind) else None
        is_taken_off = spot.cents < 0 and words not in self._seen
        return next(iter(reasons)) if len(reasons) == 1 and not (is_taken_off and CARRIED in reasons) else None
