"""What a person's corrections teach about the bills of one issuer for one account number: the next one is read by it.

A lesson is a template that fits where both the issuer and the account number stand on a bill. It holds the words that
this issuer puts beside the facts that were confirmed, and the order of its dates. It is kept only as far as it reads
the bill that it was learned from as it was confirmed.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from prorata.domain.intake.bill_reading.amount_roles import types_in
from prorata.domain.intake.bill_reading.dates import ORDERS, Order, dates_in
from prorata.domain.intake.bill_reading.draft import Draft
from prorata.domain.intake.bill_reading.issuers import Template, template_for
from prorata.domain.intake.bill_reading.label_values import Beside, beside_labels, divided, fits
from prorata.domain.intake.bill_reading.labels import FactName
from prorata.domain.intake.bill_reading.reading import read_bill
from prorata.domain.intake.bill_reading.text_folding import as_label, has_figures, plain
from prorata.domain.intake.bill_reading.words import Cell, Page, Row, rows_of
from prorata.domain.utility_names import UTILITY_TYPES

MOST_NUMBERS = 400
"""Numbers of a bill by which lessons are looked for."""
_LONGEST_LABEL = 6
_KEY = re.compile(r"[^A-Z0-9]")
_SHORTEST_NUMBER = 4
_ALIGNED = 60
_NUMBERS: tuple[FactName, ...] = ("accountNumber", "billNumber")
_DAYS: tuple[FactName, ...] = ("billDate", "dueDate", "servicePeriodStart", "servicePeriodEnd")
_FIELDS: Mapping[FactName, tuple[str, ...]] = {
    "accountNumber": ("account_number",),
    "billNumber": ("bill_number",),
    "billDate": ("bill_date",),
    "dueDate": ("due_date",),
    "servicePeriodStart": ("service_start",),
    "servicePeriodEnd": ("service_end",),
    "servicePeriod": ("service_start", "service_end"),
}


class Confirmed(NamedTuple):
    """What a person has confirmed of a bill. `kinds` are what its lines are for."""

    issuer: str
    account_number: str | None
    bill_number: str | None
    bill_date: date
    due_date: date | None
    service_start: date | None
    service_end: date | None
    kinds: frozenset[str]


def number_key(number: str) -> str:
    """A number without what may stand between its figures.

    >>> number_key("4471 20-1"), number_key("no 4471.201")
    ('4471201', 'NO4471201')
    """
    return _KEY.sub("", number.upper())


def numbers_in(pages: Sequence[Page]) -> tuple[str, ...]:
    """The keys of everything on a bill that may be an account number."""
    keys: dict[str, None] = {}
    for page in pages:
        for row in rows_of(page):
            for cell in row:
                for text in (cell.text, divided(cell.text)[1], *(word.text for word in cell.words)):
                    if text and fits("accountNumber", text):
                        keys[number_key(text)] = None
    return tuple(keys)[:MOST_NUMBERS]


def lesson_of(
    pages: Sequence[Page], confirmed: Confirmed, templates: Sequence[Template] = (), before: Template | None = None
) -> Template | None:
    """What these pages and what was confirmed of them teach; None where the issuer or the account number is not
    printed, by which its bills are known again. `before` is what was learned of them so far.
    """
    lines = [rows_of(page) for page in pages]
    phrases = _phrases(pages, lines, confirmed)
    if phrases is None:
        return None
    known = before or template_for(pages, templates)
    kinds = confirmed.kinds & set(UTILITY_TYPES)
    lesson = Template(
        issuer=confirmed.issuer,
        phrases=phrases,
        labels={**(known.labels if known else {}), **_labels(lines, confirmed)},
        order=_order(lines, confirmed) or (known.order if known else None),
        types=kinds if len(kinds) == 1 else types_in(confirmed.issuer),
    )
    return _as_far_as_true(pages, lesson, confirmed)


def _phrases(pages: Sequence[Page], lines: Sequence[Sequence[Row]], confirmed: Confirmed) -> tuple[str, str] | None:
    """The issuer and the account number as they are printed."""
    text = plain(" ".join(word.text for page in pages for word in page.words))
    key = number_key(confirmed.account_number or "")
    if len(key) < _SHORTEST_NUMBER or plain(confirmed.issuer) not in text:
        return None
    printed = next((written for cell in _cells(lines) if (written := _written_in(cell, key))), None)
    return (plain(confirmed.issuer), printed) if printed and printed in text else None


def _written_in(cell: Cell, key: str) -> str | None:
    """How words of a cell write a number, one or several that follow each other."""
    for first in range(len(cell.words)):
        joined = ""
        for last in range(first, len(cell.words)):
            joined += number_key(cell.words[last].text)
            if joined == key:
                return plain(" ".join(word.text for word in cell.words[first : last + 1])).strip(" :#*.")
            if not key.startswith(joined):
                break
    return None


def _cells(lines: Sequence[Sequence[Row]]) -> Iterator[Cell]:
    return (cell for rows in lines for row in rows for cell in row)


def _labels(lines: Sequence[Sequence[Row]], confirmed: Confirmed) -> dict[str, FactName]:
    """The words beside what was confirmed, by what they name. Words that stand beside two different facts name none."""
    named: dict[str, set[FactName]] = {}
    beside = beside_labels(lines, {})
    for fact in (*_NUMBERS, *_DAYS, "servicePeriod"):
        for text in _words_for(fact, lines, beside, confirmed):
            named.setdefault(text, set()).add(fact)
    return {text: facts.pop() for text, facts in named.items() if len(facts) == 1}


def _words_for(
    fact: FactName, lines: Sequence[Sequence[Row]], beside: Sequence[Beside], confirmed: Confirmed
) -> set[str]:
    """What stands beside the confirmed value of a fact: words that may name it; else, where the value stands once on
    the bill, whatever words point at it.
    """
    own = {as_label(one.label.text) for one in beside if one.label.fact == fact and _says(fact, one.text, confirmed)}
    if own:
        return own
    there = [(rows, line, column) for rows in lines for line, row in enumerate(rows) for column, cell in enumerate(row)
             if _says(fact, cell.text, confirmed)]  # fmt: skip
    within = [
        start for start, rest in map(divided, (cell.text for cell in _cells(lines))) if _says(fact, rest, confirmed)
    ]
    if len(there) + len(within) != 1:
        return set()
    label = within[0] if within else _pointing(*there[0])
    return {as_label(label)} if label and _may_name(label) else set()


def _says(fact: FactName, text: str, confirmed: Confirmed) -> bool:
    """Whether a text writes what was confirmed."""
    if not text or not fits(fact, text):
        return False
    values = [getattr(confirmed, field) for field in _FIELDS[fact]]
    if None in values:
        return False
    if fact in _NUMBERS:
        return number_key(text) == number_key(values[0])
    written = dates_in(text)
    return len(written) == len(values) and all(
        value in {day for _, day in one.readings} or one.month_and_day == (value.month, value.day)
        for one, value in zip(written, values, strict=True)
    )


def _pointing(rows: Sequence[Row], line: int, column: int) -> str:
    """The words left of a value, or else right above it."""
    place = rows[line][column].place
    if column:
        return rows[line][column - 1].text
    for row in reversed(rows[max(0, line - 3) : line]):
        for cell in row:
            if abs(cell.place.left - place.left) <= _ALIGNED or abs(cell.place.right - place.right) <= _ALIGNED:
                return cell.text
    return ""


def _may_name(text: str) -> bool:
    words = as_label(text).split()
    return 0 < len(words) <= _LONGEST_LABEL and not has_figures(text)


def _order(lines: Sequence[Sequence[Row]], confirmed: Confirmed) -> Order | None:
    """The order of day and month in which dates of the bill are the confirmed ones, where they say it plainly."""
    days = {getattr(confirmed, field) for fact in _DAYS for field in _FIELDS[fact]} - {None}
    votes = Counter[Order]()
    for cell in _cells(lines):
        for written in dates_in(cell.text):
            fitting = {order for order, day in written.readings if order is not None and day in days}
            if len(written.readings) > 1 and len(fitting) == 1:
                votes[fitting.pop()] += 1
    return next((order for order in ORDERS if votes[order] and len(votes) == 1), None)


def _as_far_as_true(pages: Sequence[Page], lesson: Template, confirmed: Confirmed) -> Template:
    """A lesson without the labels by which the bill it was learned from would be read otherwise than confirmed."""
    read = read_bill([page._replace(from_picture=False) for page in pages], (), (lesson,))
    untrue = {fact for fact, fields in _FIELDS.items() if any(_differs(read, field, confirmed) for field in fields)}
    if not untrue:
        return lesson
    return lesson._replace(labels={text: fact for text, fact in lesson.labels.items() if fact not in untrue})


def _differs(read: Draft, field: str, confirmed: Confirmed) -> bool:
    reading, value = getattr(read, field), getattr(confirmed, field)
    if reading.surety != "found" or value is None:
        return False
    if isinstance(value, str):
        return number_key(reading.value) != number_key(value)
    return bool(reading.value != value)
