"""Why the charges of a bill are not plain, and a person has to say its lines, whatever its amounts sum to."""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from prorata.domain.intake.bill_reading.amount_columns import is_net
from prorata.domain.intake.bill_reading.amount_context import names_a_meter
from prorata.domain.intake.bill_reading.amount_roles import (
    Role,
    fits_units,
    is_refund,
    is_unclear_type,
    may_be,
    names_a_bill,
    role_of,
    types_in,
)
from prorata.domain.intake.bill_reading.amount_rows import MoneyRow
from prorata.domain.intake.bill_reading.charge_vocabulary import are_known, is_known_fee
from prorata.domain.intake.bill_reading.dates import Order
from prorata.domain.intake.bill_reading.previous_bill import is_of_this_bill, is_plain_heading
from prorata.domain.intake.bill_reading.text_folding import has_figures, plain
from prorata.domain.intake.bill_reading.time_words import Days, is_all_of, is_of_another_time, without_days
from prorata.domain.intake.bill_reading.total_arithmetic import ALIGNED, PREVIOUS, Solution, runs_of, signed
from prorata.domain.intake.bill_reading.words import Row

SEVERAL = "Several amounts stand beside “{}”, and nothing shows which of them is of this bill."
_TITLE = 7
"""Words that a title has at most."""
_FEWEST_GROUNDS = 2
_DIGITS = re.compile(r"(?<!tier )(?<!step )(?<!block )(?<!tranche )(?<!stufe )(?<!bloque )(?<!tramo )\b[0-9]+")
"""Figures that do not tell apart what is charged in the same words; those of a step of the price do."""
_LEFT = (Role.CARRIED, Role.PREVIOUS)
_APART = (Role.LATE_FEE, Role.DEPOSIT)
_BALANCE = re.compile(r"balance|saldo|solde|kontostand")
_REMINDER = re.compile(
    r"\b(second|third|final|past due|overdue|shut.?off|disconnect(ion)?|cut.?off|termination) notice|^reminder\b"
    r"|^(zahlungs)?erinnerung|\bmahnung\b|^rappel\b|^relance\b|mise en demeure|aviso de (corte|impago)"
    r"|^recordatorio|^duplica"
)
_NOTICE = 4
"""Words that the title of a reminder has at most."""
_CHARGES = (Role.ITEM, Role.SUBTOTAL, Role.CREDIT)


class Named(NamedTuple):
    """The utilities of a bill, by what names them: the words beside amounts, titles, and the issuer."""

    in_rows: frozenset[str]
    in_titles: frozenset[str]
    of_issuer: frozenset[str]
    texts: tuple[str, ...]


def named_types(rows: Sequence[MoneyRow], pages: Sequence[Sequence[Row]], of_issuer: frozenset[str]) -> Named:
    """The utilities that a document names, and where."""
    texts = [cell.text for page in pages for row in page for cell in row]
    titles = [types_in(text) for text in texts if len(text.split()) <= _TITLE and names_a_bill(text)]
    in_rows = [row.types for row in rows if row.role is not Role.ASIDE]
    return Named(frozenset().union(*in_rows), frozenset().union(*titles), of_issuer, tuple(texts))


def doubt_of(rows: Sequence[MoneyRow], named: Named, service: Days | None, order: Order | None) -> str | None:
    """Why the charges of a bill, or the utilities they are for, are not plain; None where they are. `service` is the
    time of the bill, where it is known.
    """
    return next(_doubts_of_rows(rows, service, order), None) or _doubt_of_utilities(named)


def doubt_of_arrears(solved: Sequence[Solution], rows: Sequence[MoneyRow]) -> str | None:
    """Why charges may hold what earlier bills left: the bill states it, and the total is reached without it; or it
    takes something off that is no balance, such as instalments, or what was billed before.
    """
    for part in (part for parts in solved for part in parts if part.name == PREVIOUS and part.cents < 0):
        balances = [row for row in part.rows if row.role in _LEFT]
        if not any(row.role is Role.CARRIED or row.cents > 0 or _BALANCE.search(plain(row.words)) for row in balances):
            return f"It is not plain what “{part.rows[0].words}” takes off: it may be part of this bill."
    paid = sum({signed(row) for row in rows if row.role is Role.PAYMENT})
    left = [sum(part.cents for part in parts if part.name == PREVIOUS) for parts in solved]
    for row in rows:
        if row.role is Role.CARRIED and row.cents and not all(cents in (row.cents, row.cents + paid) for cents in left):
            return f"“{row.words}” is no part of the total, or is within the charges."
    return None


def doubt_of_asides(rows: Sequence[MoneyRow], texts: Sequence[str]) -> str | None:
    """Why a bill may ask for what was billed before: it says in passing that charges hold arrears, or it is a
    reminder.
    """
    for row in rows:
        if row.role is Role.ASIDE and row.amount.cents and may_be(row.words, Role.CARRIED):
            return f"“{row.words}” may be within the charges."
    if reminder := next(
        (text for text in texts if len(text.split()) <= _NOTICE and _REMINDER.search(plain(text))), None
    ):
        return f"“{reminder}” speaks of a bill that was sent before: this one may be billed already."
    return None


def _doubts_of_rows(rows: Sequence[MoneyRow], service: Days | None, order: Order | None) -> Iterator[str]:
    """What amounts are for that is not plain."""
    if several := next((row.words for row in rows if row.rivals), None):
        yield SEVERAL.format(several)
    if heads := _several_heads(rows):
        yield f"Charges stand under “{heads[0]}” and under “{heads[1]}”: one of them may be of an earlier bill."
    if any(row.role is Role.FOREIGN and row.cents for row in rows):
        yield "Part of the bill is for something that is no utility, or may be none."
    if fee := next(
        (
            row.words
            for row in rows
            if row.role in _APART and row.cents and (row.cents < 0 or not is_known_fee(row.words))
        ),
        None,
    ):
        yield f"It is not plain what “{fee}” is for: it may be a charge of the period, or of an earlier bill."
    if more := next((row.words for row in rows if _says_more(row, service, order)), None):
        yield f"It is not plain what “{more}” is for: it may be of an earlier bill, or no utility."
    titled = (row for row in rows if row.of_heading and not is_plain_heading(row.of_heading))
    if other := next((row for row in titled if any(one.types - row.types for one in rows if one is not row)), None):
        yield f"“{other.of_heading}” need not be the heading of “{other.words}”."
    yield from _doubts_of_time(rows, service, order)
    if any(is_unclear_type(row.words) for row in rows):
        yield "Part of the bill is for something that may be one utility or another."
    if any(row.role is Role.CREDIT and (row.cents > 0 or is_refund(row.words)) for row in rows):
        yield "The bill gives something back, and does not say plainly how much, or of what."


def _doubts_of_time(rows: Sequence[MoneyRow], service: Days | None, order: Order | None) -> Iterator[str]:
    """What may be of an earlier bill, by where it stands or by the time that is said there."""
    if again := _perhaps_of_before(rows):
        under = f" stands under “{again.nearby.former}”" if again.nearby.former else " stands there more than once"
        yield f"“{again.words}”{under}: it may be of an earlier bill."
    for row in rows:
        if row.role not in _CHARGES or not row.cents:
            continue
        if row.types and is_net(row.nearby.head):
            yield f"“{row.words}” stands under “{row.nearby.head}”: tax may come on top of it."
        above = next((text for text in row.nearby.headings if not names_a_meter(text)), "")
        if row.types and not is_plain_heading(above):
            yield f"“{row.words}” stands under “{above}”: it may be of an earlier bill."
        if row.types and (other := next((text for text in row.nearby.beside if _says_more_beside(text)), None)):
            yield f"“{row.words}” stands beside “{other}”: it may be of an earlier bill."
        if row.role is Role.CREDIT and (
            not is_of_this_bill(row.words) or is_of_another_time(row.words, service, order)
        ):
            yield f"“{row.words}” may be of an earlier bill."
        said = [text for text in row.nearby.said if role_of(text) is not Role.ASIDE]
        if is_all_of(" ".join(row.nearby.beside), service, order):
            said = [text for text in said if text not in row.nearby.beside]
        if time := next((text for text in said if is_of_another_time(text, service, order)), None):
            yield f"“{time}” stands beside charges or above them, and need not be the time of this bill."


def _says_more_beside(text: str) -> bool:
    """Whether words beside a charge are not known; one with figures may be an address in another column."""
    return not has_figures(text) and not is_plain_heading(text)


def _says_more(row: MoneyRow, service: Days | None, order: Order | None) -> bool:
    """Whether a row names a utility and says of it what is not known: that it is of an earlier bill, perhaps."""
    is_item = row.role in (Role.ITEM, Role.SUBTOTAL) and row.cents != 0
    return (
        is_item and bool(row.types) and not row.from_heading and not are_known(without_days(row.words, service, order))
    )


def _perhaps_of_before(rows: Sequence[MoneyRow]) -> MoneyRow | None:
    """An item that may be of an earlier bill though its own words do not say so: it stands under a heading that does,
    or another of the same words stands on its page, and neither meters of their own nor a sum of the period's charges
    tell what both are.
    """
    items = [row for row in rows if row.role is Role.ITEM and row.types and row.cents]
    under = next((row for row in items if row.nearby.former), None)
    if under:
        return under
    runs = {
        role: [{row.place for row in run} for whole in rows if whole.role is role for run in runs_of(whole, rows)]
        for role in (Role.TOTAL, Role.CURRENT)
    }
    alike: dict[tuple[int, frozenset[str], str], list[MoneyRow]] = {}
    for row in items:
        alike.setdefault((row.place.page, row.types, _DIGITS.sub("", plain(row.words))), []).append(row)
    for same in alike.values():
        meters = {row.nearby.meter for row in same}
        summed, current = (
            any(sum(1 for row in same if row.place in run) > 1 for run in runs[role])
            for role in (Role.TOTAL, Role.CURRENT)
        )
        if summed and not current and (len(meters) < len(same) or "" in meters):
            return same[-1]
    return None


def _several_heads(rows: Sequence[MoneyRow]) -> tuple[str, str] | None:
    """The heads of two columns of one page in both of which stand charges of utilities."""
    items = [row for row in rows if row.role is Role.ITEM and row.types and row.cents and row.nearby.head]
    for one, other in combinations(items, 2):
        apart = min(abs(one.place.right - other.place.right), abs(one.place.left - other.place.left))
        if one.place.page == other.place.page and one.nearby.head != other.nearby.head and apart > ALIGNED:
            return one.nearby.head, other.nearby.head
    return None


def _doubt_of_utilities(named: Named) -> str | None:
    """Why the utilities that a bill names are not plain."""
    every = named.in_rows | named.in_titles
    if not every:
        return "The bill does not say beside its amounts which utility it is for."
    if named.in_titles - named.in_rows and len(every) > 1:
        return "The bill names a utility that no amount is shown for."
    if len(every) > 1:
        return None
    (kind,) = every
    fits = fits_units(kind, " ".join(named.texts))
    grounds = [bool(named.in_rows), bool(named.in_titles), named.of_issuer == every, bool(fits)]
    other_issuer = len(named.of_issuer) == 1 and named.of_issuer != every
    if fits is False or other_issuer or sum(grounds) < _FEWEST_GROUNDS:
        return "Which utility the bill is for is said in one place alone, or in two ways."
    return None
