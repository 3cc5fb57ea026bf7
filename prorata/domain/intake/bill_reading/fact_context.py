"""Contexts in which a fact concerns something else: another bill, a bank or a deposit."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple, get_args

from prorata.domain.intake.bill_reading.dates import dates_in
from prorata.domain.intake.bill_reading.labels import FactName, label_of, label_within, likely_labels
from prorata.domain.intake.bill_reading.numbers import read_amount
from prorata.domain.intake.bill_reading.previous_bill import is_of_before, is_plain_heading
from prorata.domain.intake.bill_reading.text_folding import has_figures, plain
from prorata.domain.intake.bill_reading.time_words import is_a_month_or_year, is_a_time
from prorata.domain.intake.bill_reading.words import ALIGNED, LETTERS, LONGEST_HEADING, Cell, Place, Row

_BANK = re.compile(r"\b(sort code|iban|bic|swift|routing|bank|banking|blz|bankleitzahl|rib|banque|banco)\b")
_CLOSE = 3
"""The number of lines around a label in which words about a bank count."""
_NEAR = 15
"""The number of lines above a value in which its column's heading is looked for."""
_HEAD = 3000
"""The height of the first page's top part, in tenths of a point, for addressees."""
_WORD = re.compile(r"[^\W\d_]+")
_SITE = re.compile(r"www\.|https?:|[a-z]@[a-z]")
_OTHERS = re.compile(
    r"\b(cancel\w*|void\w*|annul\w*|storn\w*|histor\w*|verlauf|next|nachste\w*|prochain\w*|proxim\w*|deposit\w*|kaution"
    r"|sicherheitsleistung|depots?|fianza|replac\w*|ersetz\w*|remplac\w*|sustitu\w*|reemplaz\w*|debit\w*|lastschrift\w*"
    r"|einzug\w*|prelevement\w*|domicilia\w*|bank\w*|example|muster\w*|exemple|ejemplo)\b"
)
"""Words in headings about another bill, a deposit, or an account to pay to."""
_REPLACED = re.compile(
    r"\b(replac\w*|cancel(l?ed|s)|void(s|ed)|ersetz\w*|storni\w*|annul\w*|remplac\w*|sustitu\w*|reemplaz\w*)\b"
)
"""Words in a sentence that may introduce the facts of another bill."""
_FACTS = """
    information info customer billing details important dates key facts data your you at a glance number numbers
    reference references welcome property contract monthly my this the
    rechnungsdaten kundendaten vertragsdaten angaben daten ihre ihr auf einen blick informationen kunde kunden vertrag
    wichtige zu zur zum gebuhrenbescheid bescheid allgemeine
    vos votre references informations information contrat client donnees mois facture la les du
    datos informacion cliente contrato referencias del de su sus suministro documento cobro recibo mes
"""
_PAYMENT = """
    payment pay remit remittance slip stub coupon detach return please to how with by
    zahlung zahlungsinformationen zahlschein bezahlen so paiement payer reglement coupon comment pago pagar como cupon
"""
_OF_FACTS, _OF_PAYMENT = frozenset(_FACTS.split()), frozenset(_PAYMENT.split())
MOST_FACTS = 4
"""The minimum number of facts that show that an unknown heading is about this bill.

The facts must be different facts below this heading, and one of them must be the account number.
"""


class Section(NamedTuple):
    """The meaning of the heading of a bill's section.

    If `is_other` is set, the section is about something other than this bill. `unknown` is the place of a heading whose
    meaning is unknown, otherwise None.
    """

    is_other: bool
    unknown: Place | None


class _Heading(NamedTuple):
    """A line of words that may head a section of a bill.

    If `is_other` is set, the section is about something other than this bill. Labels of the facts in `plain_for`
    belong to this bill with certainty. `somebody` means that the words may be the name of a sender or addressee;
    no heading is looked for above such a name. A heading that is not `alone` on its line heads only its column.
    """

    line: int
    place: Place
    alone: bool = True
    is_other: bool = False
    somebody: bool = False
    plain_for: frozenset[str] = frozenset()


class Headed(NamedTuple):
    """The lines of a page, with the headings among them.

    Consecutive lines with the same left edge form a block. `starts` has, for each line, the index of the first
    line of its block.
    """

    rows: Sequence[Row]
    headings: tuple[_Heading, ...]
    starts: tuple[int, ...]


def headed(rows: Sequence[Row]) -> Headed:
    """Find the headings among the lines of a page."""
    headings = (_heading(rows, line) or _heading_of_column(rows, line) for line in range(len(rows) - 1))
    starts = [0]
    for line in range(1, len(rows)):
        is_same = abs(rows[line][0].place.left - rows[line - 1][0].place.left) <= ALIGNED
        starts.append(starts[-1] if is_same else line)
    return Headed(rows, tuple(heading for heading in headings if heading), tuple(starts))


def is_under_a_former_bill(rows: Sequence[Row], line: int, place: Place) -> bool:
    """True if a value's column heading names an earlier bill, a month or a year.

    The heading is just above the value.
    """
    for row in reversed(rows[max(0, line - _NEAR) : line]):
        for cell in row:
            there = cell.place.left < place.right and place.left < cell.place.right
            if there and len(row) > 1 and is_a_month_or_year(cell.text):
                return True
            if there and _is_bare(cell.text):
                return len(row) > 1 and is_of_before(cell.text)
    return False


def is_beside_a_bank(rows: Sequence[Row], line: int, cell: Cell) -> bool:
    """True if words about a bank are near a cell that contains a label.

    An account number with such a label is that of the payee's bank account.
    """
    near = (other for row in rows[max(0, line - _CLOSE) : line + _CLOSE + 1] for other in row)
    column = rows[line].index(cell)
    beside = (*(other for other in near if abs(other.place.left - cell.place.left) <= ALIGNED),
              *rows[line][max(0, column - 1) : column + 2])  # fmt: skip
    return any(_BANK.search(plain(other.text)) for other in beside)


def section_of(page: Headed, line: int, cell: Cell, fact: FactName) -> Section:
    """Find the meaning of the heading above a label.

    A heading applies if it begins at the same distance from the left edge of the page as the label. It also
    applies if it is alone on its line, and the lines between the heading and the label all begin at the same
    distance from the left.
    """
    for at in range(bisect_left(page.headings, line, key=itemgetter(0)) - 1, -1, -1):
        heading = page.headings[at]
        is_of_all = heading.alone and heading.line >= page.starts[line]
        if not is_of_all and abs(heading.place.left - cell.place.left) > ALIGNED:
            continue
        if heading.somebody or fact in heading.plain_for:
            break
        return Section(heading.is_other, None if heading.is_other else heading.place)
    return Section(is_other=False, unknown=None)


def _heading(rows: Sequence[Row], line: int) -> _Heading | None:
    """Return the heading in a line; None if the line is not a heading.

    The words of a heading are alone on the line, and are neither a sentence nor a label.
    """
    cell, text = rows[line][0], rows[line][0].text
    if len(rows[line]) > 1 or _is_a_fact(rows, line):
        return None
    if len(text.split()) > LONGEST_HEADING or text.endswith("."):
        return _Heading(line, cell.place, is_other=True) if _REPLACED.search(plain(text)) else None
    is_bare = _is_bare(text)
    if (is_bare or _is_without_value(text)) and (_OTHERS.search(plain(text)) or is_of_before(text)):
        return _Heading(line, cell.place, is_other=True)
    if not is_bare:
        return _Heading(line, cell.place) if _is_of_a_time(rows, line) else None
    is_sender = line == 0 and cell.place.page == 1
    somebody = is_sender or _is_above_an_address(cell, rows[line + 1])
    return _Heading(line, cell.place, somebody=somebody, plain_for=_plain_for(text))


def _heading_of_column(rows: Sequence[Row], line: int) -> _Heading | None:
    """Return the heading in a line's last cell, for example in a page's right half.

    Return None if the cell's words are not known from headings.
    """
    cell, text = rows[line][-1], rows[line][-1].text
    if len(rows[line]) == 1 or len(text.split()) > LONGEST_HEADING or not _is_bare(text) or label_of(text):
        return None
    if _OTHERS.search(plain(text)) or is_of_before(text):
        return _Heading(line, cell.place, alone=False, is_other=True)
    plain_for = _plain_for(text)
    return _Heading(line, cell.place, alone=False, plain_for=plain_for) if plain_for else None


def _is_a_fact(rows: Sequence[Row], line: int) -> bool:
    """True if a line is the label of a value, not a heading.

    The value is on the line or below it.
    """
    cell, text = rows[line][0], rows[line][0].text
    if label_of(text) or _SITE.search(plain(text)) or any(rest for _, rest in label_within(text) if ":" in text):
        return True
    if _OTHERS.search(plain(text)) or is_of_before(text) or not likely_labels(text):
        return False
    below = (other for row in rows[line + 1 : line + 3] for other in row)
    return any(not _is_bare(other.text) and abs(other.place.left - cell.place.left) <= ALIGNED for other in below)


def _is_of_a_time(rows: Sequence[Row], line: int) -> bool:
    """True if a line is a heading that names a month, year or day.

    The line must contain neither a value nor a label, and must not continue the line above.
    """
    cell, text = rows[line][0], rows[line][0].text
    dates = dates_in(text)
    if not text[0].isalpha() or not (is_a_time(text) or (len(dates) == 1 and dates[0].start)):
        return False
    above = rows[line - 1][0] if line else cell
    is_end = not _is_bare(above.text) and cell.place.top - above.place.bottom <= cell.height
    return _is_without_value(text) and not is_end and not any(label_within(text))


def _is_without_value(text: str) -> bool:
    return ":" not in text and not any(read_amount(word) for word in text.split() if "." in word or "," in word)


def _is_above_an_address(heading: Cell, below: Row) -> bool:
    """True if words at the top of the first page are just above an address.

    Such words may be the name of a sender or addressee.
    """
    place, next_place, text = heading.place, below[0].place, below[0].text
    is_next = next_place.top - place.bottom <= heading.height and abs(next_place.left - place.left) <= ALIGNED
    is_address = LETTERS.search(text) and not _is_bare(text) and ":" not in text and not dates_in(text)
    return bool(place.page == 1 and place.top < _HEAD and is_next and is_address and not any(label_within(text)))


def _plain_for(heading: str) -> frozenset[str]:
    """Return the facts whose labels are unambiguous below a heading.

    There are none if the heading has an unknown word. If the heading has words about payment, the account number
    is left out, because it may be the number of the account to pay to.
    """
    facts = frozenset(get_args(FactName))
    if _is_plain(heading, _OF_FACTS):
        return facts
    return facts - {"accountNumber"} if _is_plain(heading, _OF_FACTS | _OF_PAYMENT) else frozenset()


def _is_plain(heading: str, known: frozenset[str]) -> bool:
    return is_plain_heading(_WORD.sub(lambda word: "" if word[0] in known else word[0], plain(heading)))


def _is_bare(text: str) -> bool:
    """True if the text consists of words without digits."""
    return bool(LETTERS.search(text)) and not has_figures(text)
