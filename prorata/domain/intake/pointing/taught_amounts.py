"""A bill's total and lines, read by lessons about the issuer and checked together."""

from collections.abc import Container, Hashable, Mapping, Sequence
from typing import NamedTuple

from prorata.domain.groups import grouped
from prorata.domain.intake.bill_reading.draft import Line, Reading, asked, found
from prorata.domain.intake.bill_reading.spots import Sheet, Spot
from prorata.domain.intake.bill_reading.totals import UNCLEAR, is_total_unclear
from prorata.domain.intake.bill_reading.utility_words import is_priced, types_in
from prorata.domain.intake.bill_reading.words import Place, are_on_one_line
from prorata.domain.intake.pointing.amount_words import (
    CARRIED,
    is_a_sum,
    undated,
    with_known_months,
    words_of as beside,
)
from prorata.domain.intake.pointing.known_issuers import Known
from prorata.domain.intake.pointing.lessons import Anchor, Layout, Taught, names, words_of
from prorata.domain.intake.pointing.line_rules import (
    Row,
    Way,
    carries_over,
    dividing_headings,
    has_new_items,
    hides_new,
    less_payment,
    named_rows,
    new_words,
    rows_by,
    single_rows,
    summed_rows,
)
from prorata.domain.intake.pointing.told_lines import Telling
from prorata.domain.intake.pointing.votes import ONE_GROUND, SEVERAL, reading_of, votes_of
from prorata.domain.money import in_figures
from prorata.domain.texts import say
from prorata.domain.utility_names import UTILITY_TYPES

_SAYS_NOTHING = say("There is no amount beside the words where it appeared on earlier bills.")
_CARRIES_OVER = say(
    "The bill carries over an amount from an earlier one, and the words beside this one don’t state what is due."
)
_SHOWS_OTHER = say("This bill shows something that earlier ones did not. Say what each amount is for.")


class Amounts(NamedTuple):
    """The total and the lines of a bill, which were read together."""

    total: Reading[int] | None
    lines: Reading[tuple[Line, ...]] | None


def amounts_of(known: Known, sheet: Sheet) -> Amounts:
    """Read a bill's total, and its lines if they add up to it.

    If the bill shows something new, the lines are left for a person to divide.
    """
    layout = known.layout
    sheet = with_known_months(sheet, layout.amounts)
    spots = sheet.spots("money")
    taught = layout.fields.get("total")
    total = _total(taught, sheet) if taught else None
    if total is None:
        return Amounts(None, None)
    totals = [total.value] if total.surety == "found" and total.value is not None else list(total.choices)
    named = named_rows(spots, layout.amounts)
    unbilled = list({(row.kind, row.cents): row for row in named.values()}.values())
    excused = {*named, *(dividing_headings(sheet) if any(row.kind == CARRIED for row in unbilled) else ())}
    shows_other = any(words not in excused for words in new_words(sheet, layout.amounts))
    ways = [] if shows_other else [way for way in layout.lines if not _says_too_little(way, known, sheet, named)]
    plain = [[*rows, *unbilled] for way in ways if (rows := single_rows(way, spots)) is not None]
    if not (read := _read(totals, plain)) and not carries_over(spots):
        plain += [[*rows, *unbilled] for way in ways if (rows := summed_rows(way, spots, totals)) is not None]
    read = read or _read(totals, [less_payment(rows, spots, totals) for rows in plain])
    if not read and total.value is not None:
        telling = Telling(sheet, layout, known.lesson.kinds, _familiar(known, spots))
        read = _read(totals, list(telling.rows(total.value)))
        if not read and not shows_other and not named:
            read = _read(totals, [_whole(known, sheet, total.value, total.places[0])])
    if len(read) > 1:
        return Amounts(total, asked(SEVERAL, *read.values()))
    lines = next(iter(read.values()), ())
    if not lines:
        return Amounts(total, _known_part(layout, spots, total))
    if total.surety != "found" and len(lines) > 1 and sum(line.cents for line in lines) == max(totals, key=abs):
        total = found(sum(line.cents for line in lines), *total.places)
    places = tuple(place for line in lines for place in line.places)
    return Amounts(total, found(lines, *places) if total.surety == "found" else asked(ONE_GROUND, lines, places=places))


def _read(totals: Container[int], ways: Sequence[Sequence[Row]]) -> dict[Hashable, tuple[Line, ...]]:
    """Keep the alternative lines of a bill that sum to one of these totals.

    Equal alternatives count once: the result maps the names and cents of the lines to the lines. At least one line
    must be for a utility.
    """
    alternatives = (_lines(rows) for rows in ways)
    fitting = [
        lines
        for lines in alternatives
        if sum(line.cents for line in lines) in totals and any(line.name in UTILITY_TYPES for line in lines)
    ]
    return {tuple((line.name, line.cents) for line in lines): lines for lines in fitting}


def _familiar(known: Known, spots: Sequence[Spot]) -> set[str]:
    """Collect familiar words beside amounts, which raise no doubt about a bill.

    These words were beside amounts on confirmed bills, or are about the price of one utility that the issuer
    bills. Words about a price that name no utility count only if the issuer bills a single utility.
    """
    kinds = {kind for kind in known.lesson.kinds if kind in UTILITY_TYPES}
    priced = {
        words
        for words in map(beside, spots)
        for utilities in [types_in(words) or kinds]
        if len(utilities) == 1 and utilities <= kinds and not is_a_sum(words)
        if all(is_priced(words, kind) for kind in utilities)
    }
    return {*known.layout.amounts, *priced}


def _names_other_utility(known: Known, sheet: Sheet) -> bool:
    """True if unfamiliar words on a bill name a utility that its issuer never billed."""
    words = words_of(sheet.pages) - set(known.layout.words)
    return any(types_in(word) - set(known.lesson.kinds) for word in words)


def _whole(known: Known, sheet: Sheet, total: int, place: Place) -> list[Row]:
    """Assign a bill's total to the only utility of its issuer's bills.

    A bill in the same layout must have been wholly for this utility. The list is empty if any amount may be for
    something else: the words beside it are unfamiliar, were beside an unbilled amount, or are on several lines.
    """
    utilities = frozenset(known.lesson.kinds) & set(UTILITY_TYPES)
    rules = {rule for layout in known.lesson.layouts for way in layout.lines for rule in way}
    is_one = len(utilities) == 1 and utilities in [{rule.kind for rule in way} for way in known.layout.lines]
    if total <= 0 or not is_one or not {rule.kind for rule in rules}.issuperset(known.lesson.kinds):
        return []
    spots = [*(spot for spot in sheet.spots("money") if spot.cents), *sheet.spots("unclear")]
    seen, familiar = set(known.layout.amounts), _familiar(known, spots)
    new = {words for words in map(beside, spots) if words not in familiar or undated(words) in seen} - seen
    repeated = {undated(rule.words) for rule in rules if rule.is_repeated}
    places = [(undated(beside(spot)), spot.place) for spot in spots if spot.cents != total]
    is_doubled = any(not are_on_one_line(its) for words, its in grouped(places).items() if words not in repeated)
    unbilled = {rule.words for rule in rules if rule.kind not in (*utilities, CARRIED)}
    is_apart = carries_over(spots) or not unbilled.isdisjoint(map(beside, spots))
    if new or is_doubled or is_apart or _names_other_utility(known, sheet):
        return []
    return [Row(kind, total, place) for kind in utilities]


def _says_too_little(way: Way, known: Known, sheet: Sheet, named: Mapping[str, Row]) -> bool:
    """True if a set of line rules omits something or is too vague.

    The rules may omit an amount carried over from earlier bills, or a kind of amount that was unbilled on another
    bill; the amounts that are `named` by their own words don't count as omitted. The rules are too vague if their
    words don't say which utility an amount is for, because a single amount may then include another utility.
    """
    spots = sheet.spots("money")
    ways = [one for layout in known.lesson.layouts for one in layout.lines]
    kinds = {rule.kind for rule in way} | {row.kind for row in named.values()}
    words, utilities = {rule.words for rule in way}, kinds & set(UTILITY_TYPES)
    seen = _familiar(known, spots) | set(named)
    apart = {rule.words for one in ways for rule in one if rule.kind not in (*UTILITY_TYPES, CARRIED)}
    leaves_out = any(spot.cents and beside(spot) in apart - words for spot in spots)
    leaves_out = leaves_out or (carries_over(spots) and CARRIED not in kinds)
    rows = rows_by(way, spots)
    is_one_sum = all(is_a_sum(rule.words) for rule in way if rule.kind != CARRIED)
    is_unclear = is_one_sum and len(set(known.lesson.kinds) & set(UTILITY_TYPES)) > 1
    has_new = is_one_sum and has_new_items(sheet, rows, seen)
    if is_one_sum or len([row for row in rows if row.cents]) == 1:
        total = sum(row.cents for row in rows)
        is_unclear = is_unclear or _names_other_utility(known, sheet) or hides_new(sheet, total, seen, utilities)
    return not utilities or leaves_out or is_unclear or has_new


def _total(taught: Taught, sheet: Sheet) -> Reading[int] | None:
    """Read the total of a bill at the places where it was on earlier bills.

    The total is `found` if no other value is possible and there is a second ground: either the amount appears
    twice on the bill, or it appears at all of its former places, with the same words beside it.
    """
    spots = sheet.spots("money")
    taught = taught._replace(anchors=_of_sums(taught.anchors))
    votes = votes_of(taught, "money", spots, lambda spot: spot.cents)
    values = {vote.value for vote in votes}
    votes = [vote for vote in votes if not vote.value or -vote.value not in values]
    reading = reading_of(votes)
    if reading is None or len(reading.choices) > 1 or reading.value is None:
        return reading
    others = tuple(dict.fromkeys(vote.value for vote in votes if vote.value != reading.value))
    if others:
        return asked(SEVERAL, reading.value, *others, places=reading.places)
    if is_total_unclear(sheet):
        return asked(UNCLEAR, reading.value, places=reading.places)
    is_twice = len({spot.place for spot in spots if spot.cents == reading.value}) > 1
    is_everywhere = len({vote.place for vote in votes}) >= len(taught.anchors)
    is_named = any(names("total", f"{anchor.left} {anchor.above}") for anchor in taught.anchors)
    if carries_over(spots) and not is_named:
        return asked(_CARRIES_OVER, reading.value, places=reading.places)
    if is_twice or (reading.surety == "found" and is_everywhere):
        return found(reading.value, *reading.places)
    return asked(ONE_GROUND, reading.value, places=reading.places)


def _of_sums(anchors: Sequence[Anchor]) -> tuple[Anchor, ...]:
    """Drop a total's anchors beside a utility's name, if another anchor's words name a sum.

    The charge of a bill's only utility equals the total, but doesn't on a later bill with two utilities.
    """
    words = {anchor: anchor.left or anchor.above for anchor in anchors}
    kept = tuple(anchor for anchor in anchors if is_a_sum(words[anchor]) or not types_in(words[anchor]))
    return kept if any(is_a_sum(words[anchor]) for anchor in kept) else tuple(anchors)


def _lines(rows: Sequence[Row]) -> tuple[Line, ...]:
    joined: dict[str, Line] = {}
    for row in rows:
        before = joined.get(row.kind, Line(row.kind, 0, ()))
        joined[row.kind] = Line(row.kind, before.cents + row.cents, (*before.places, row.place))
    return tuple(line for line in joined.values() if line.cents)


def _known_part(layout: Layout, spots: Sequence[Spot], total: Reading[int]) -> Reading[tuple[Line, ...]]:
    """Ask a person for the bill's lines.

    If the known lines make up only part of the total, they are proposed, and the question asks what the rest is
    for.
    """
    lines = _lines(rows_by(layout.lines[0], spots)) if layout.lines else ()
    if not lines or total.value is None:
        return asked(_SAYS_NOTHING)
    comes_to = sum(line.cents for line in lines)
    if comes_to == total.value:
        return asked(_SHOWS_OTHER)
    known, whole = in_figures(comes_to), in_figures(total.value)
    why = say(
        "The amounts that Prorata recognizes on this company’s bills add up to {known}, but the total is {whole}.",
        known=known,
        whole=whole,
    )
    if not 0 < comes_to < total.value or any(line.cents < 0 for line in lines):
        return asked(why)
    return asked(
        say("{why} Say what the rest is for.", why=why),
        lines,
        places=tuple(place for line in lines for place in line.places),
    )
