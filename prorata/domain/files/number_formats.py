"""The amount and date formats of a file, inferred from all of its cells together.

An amount such as 80,10 shows its file's decimal mark, and a date such as 25.03.2026 shows the order of day and
month. If no cell shows the format, each row is read in the format that is customary in its property's country. If a
country has several customary formats, Prorata does not guess: a person is asked.
"""

from collections.abc import Collection, Iterable
from typing import Literal, NamedTuple

from prorata.domain.countries import COUNTRIES
from prorata.domain.files.cell_values import days_of, figures_of
from prorata.domain.files.cells import Cell
from prorata.domain.number_parsing import decimal_marks_of
from prorata.domain.texts import joined, say

How = Literal["nothing", "said", "shown", "customary", "mixed", "asked"]
MARKS, ORDERS = (".", ","), ("DMY", "MDY")
_MARKED = frozenset(MARKS)
MARK_NAMES = {".": say("a decimal point"), ",": say("a decimal comma")}
ORDER_NAMES = {"DMY": say("the day first"), "MDY": say("the month first")}
_NAMES = {**MARK_NAMES, **ORDER_NAMES}


class Form(NamedTuple):
    """A file's decimal mark or day-and-month order, and how the format is known.

    `how` is "said" if somebody chose the format, "shown" if `example` in a `line` proves it, "customary" if it is
    usual in the properties' countries, "mixed" if the file uses two formats, "asked" if a person must choose, and
    "nothing" if all cells are unambiguous. `value` is the format or, if a person must choose, the likelier format.
    If `value` is empty, each row is read in the format of its property's country.
    """

    how: How
    value: str = ""
    example: str = ""
    line: int = 0


class _Seen(NamedTuple):
    """The formats that are still possible after some cells were read.

    `left` contains these formats. `plain` is the first cell that allows only one format, and `open` the first cell
    that allows several.
    """

    left: frozenset[str]
    plain: tuple[int, str] | None
    open: tuple[int, str] | None


def decimal_form(cells: Iterable[tuple[int, Cell]], countries: Collection[str], chosen: str = "") -> Form:
    """Infer the decimal mark of a file's amounts, each given with its line.

    `chosen` is the mark that somebody chose, if any. If the file shows a mark that is not customary for the
    properties, and another amount depends on it, a person is asked: one typing error must not change all other
    amounts.

    >>> decimal_form([(2, "1.234"), (3, "80,10")], ["DE"])
    Form(how='shown', value=',', example='80,10', line=3)
    >>> decimal_form([(2, "1.234"), (3, "80,10")], ["US"]), decimal_form([(3, "80,10")], ["US"]).how
    (Form(how='asked', value=',', example='1.234', line=2), 'shown')
    >>> decimal_form([(2, "1,234")], ["US"]).how, decimal_form([(2, "1,234")], ["DE"]).how
    ('customary', 'asked')
    """
    if chosen:
        return Form("said", chosen)
    seen, has_point = _Seen(_MARKED, None, None), False
    for line, cell in cells:
        figures = figures_of(cell) if isinstance(cell, str) else ""
        if not _MARKED & set(figures):
            continue
        marks = decimal_marks_of(figures)
        seen = _with(seen, marks, (line, str(cell)))
        has_point = has_point or (len(marks) > 1 and "." in figures)
    if seen.plain and not seen.left:
        return Form("mixed")
    if seen.plain:
        shown = min(seen.left)
        if seen.open is None or all(shown in COUNTRIES[country].decimal_marks for country in countries):
            return Form("shown", shown, seen.plain[1], seen.plain[0])
        return Form("asked", shown, seen.open[1], seen.open[0])
    if seen.open is None:
        return Form("nothing")
    is_open = has_point or any("," in COUNTRIES[country].decimal_marks for country in countries)
    return Form("asked" if is_open else "customary", "", seen.open[1], seen.open[0])


def date_form(cells: Iterable[tuple[int, Cell]], countries: Collection[str], chosen: str = "") -> Form:
    """Infer the order of day and month in dates, each given with its line.

    `chosen` is the order that somebody chose, if any. If the file shows an order that is not customary for the
    properties, and another date depends on it, a person is asked: one typing error must not change all other dates.

    >>> date_form([(2, "03.04.2026"), (3, "25.03.2026")], ["DE"])
    Form(how='shown', value='DMY', example='25.03.2026', line=3)
    >>> [date_form([(2, "03/04/2026")], [country]).how for country in ("US", "CA")]
    ['customary', 'asked']
    >>> date_form([(2, "03/04/2026"), (3, "25/03/2026")], ["US"])
    Form(how='asked', value='DMY', example='03/04/2026', line=2)
    >>> date_form([(3, "25/03/2026")], ["US"]).how, date_form([(2, "25/03/2026"), (3, "03/25/2026")], ["US"]).how
    ('shown', 'asked')
    """
    if chosen:
        return Form("said", chosen)
    seen, separators = _Seen(frozenset(ORDERS), None, None), set[str]()
    for line, cell in cells:
        days = days_of(cell) if isinstance(cell, str) else {}
        if not days or (len(days) > 1 and len(set(days.values())) == 1):
            continue
        seen = _with(seen, frozenset(days), (line, str(cell)))
        separators |= set("./-") & set(str(cell))
    if seen.plain is None and seen.open is None:
        return Form("nothing")
    customs = [_customary(country, sign) for country in countries for sign in sorted(separators)]
    at = seen.open or seen.plain
    assert at is not None, "one of the two was seen"
    if len({custom for custom in customs if custom}) > 1 or (
        seen.plain is None and all(len(custom) == 1 for custom in customs)
    ):
        is_plain = all(len(custom) <= 1 for custom in customs)
        return Form("customary" if is_plain else "asked", "", at[1], at[0])
    shown = min(seen.left) if seen.plain and seen.left else ""
    is_usual = all(not custom or shown in custom for custom in customs)
    if shown and seen.plain and (is_usual or seen.open is None):
        return Form("shown", shown, seen.plain[1], seen.plain[0])
    return Form("asked", shown, at[1], at[0])


def in_words(form: Form) -> str:
    """Describe a format and how it is known, in a sentence.

    >>> in_words(Form("shown", ",", "80,10", 4)), in_words(Form("nothing"))
    ('With a decimal comma, as 80,10 in line 4 shows.', 'In an unambiguous format.')
    """
    at = say("{example} in line {line}", example=form.example, line=form.line)
    match form.how:
        case "said":
            return say("With {value}, as you specified.", value=_NAMES[form.value])
        case "shown":
            return say("With {value}, as {at} shows.", value=_NAMES[form.value], at=at)
        case "customary":
            return say("As is customary where your properties are, such as {at}.", at=at)
        case "mixed":
            return say("With a decimal point in some rows and a decimal comma in others. Each row is read separately.")
        case "asked":
            asked = say(
                "Please specify: {at} is ambiguous, or isn’t written as is customary where your properties are.", at=at
            )
            likely = say("They are probably written with {written}.", written=_NAMES[form.value]) if form.value else ""
            return joined([asked, likely])
        case _:
            return say("In an unambiguous format.")


def _with(seen: _Seen, possible: frozenset[str], at: tuple[int, str]) -> _Seen:
    """Narrow the possible formats by one more cell; an unreadable cell changes nothing."""
    if not possible:
        return seen
    if len(possible) == 1:
        return _Seen(seen.left & possible, seen.plain or at, seen.open)
    return seen._replace(open=seen.open or at)


def _customary(country: str, separator: str) -> frozenset[str]:
    """Return the orders of day and month that a country uses with a separator."""
    orders = COUNTRIES[country].date_orders
    return frozenset(each.order for each in orders if each.order in ORDERS and separator in each.separators)
