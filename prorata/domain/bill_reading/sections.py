"""What stands around a fact of a bill and says that it is of something else: another bill, a bank, a deposit."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from prorata.domain.bill_reading.dates import dates_in
from prorata.domain.bill_reading.former import is_of_before, is_plain_heading
from prorata.domain.bill_reading.labels import FactName, label_of, label_within, likely_labels
from prorata.domain.bill_reading.numbers import read_amount
from prorata.domain.bill_reading.pieces import ALIGNED, LETTERS, LONGEST_HEADING
from prorata.domain.bill_reading.texts import plain
from prorata.domain.bill_reading.times import is_a_month_or_year
from prorata.domain.bill_reading.words import Cell, Place, Row

_BANK = re.compile(r"\b(sort code|iban|bic|swift|routing|bank|banking|blz|bankleitzahl|rib|banque|banco)\b")
_CLOSE = 3
"""Lines around a label within which words of a bank say that it is a bank's."""
_NEAR = 15
"""Lines above a value within which its column is headed."""
_HEAD = 3000
"""Tenths of a point from the top of the first page within which somebody is addressed."""
_WORD = re.compile(r"[^\W\d_]+")
_SITE = re.compile(r"www\.|https?:|[a-z]@[a-z]")
_OTHERS = re.compile(
    r"\b(cancel\w*|void\w*|annul\w*|storn\w*|histor\w*|verlauf|next|nachste\w*|prochain\w*|proxim\w*|deposit\w*|kaution"
    r"|sicherheitsleistung|depots?|fianza|replac\w*|ersetz\w*|remplac\w*|sustitu\w*|reemplaz\w*|debit\w*|lastschrift\w*"
    r"|einzug\w*|prelevement\w*|domicilia\w*|bank\w*|example|muster\w*|exemple|ejemplo)\b"
)
"""Words of headings of another bill, of a deposit, or of an account to pay to."""
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
"""Different facts that stand below one heading whose words are not known, where it is that of this bill."""


class Section(NamedTuple):
    """What the heading of a section says: that it is of something else, or, where its words are not known, where it
    stands.
    """

    is_other: bool
    unknown: Place | None


def is_under_a_former_bill(rows: Sequence[Row], line: int, place: Place) -> bool:
    """Whether the words next above a value, in its column, speak of an earlier bill."""
    for row in reversed(rows[max(0, line - _NEAR) : line]):
        for cell in row:
            there = cell.place.left < place.right and place.left < cell.place.right
            if there and len(row) > 1 and is_a_month_or_year(cell.text):
                return True
            if there and _is_bare(cell.text):
                return len(row) > 1 and is_of_before(cell.text)
    return False


def is_beside_a_bank(rows: Sequence[Row], line: int, place: Place) -> bool:
    """Whether words of a bank stand close to a label, in its column: the account is the one to pay to."""
    near = (cell for row in rows[max(0, line - _CLOSE) : line + _CLOSE + 1] for cell in row)
    return any(_BANK.search(plain(cell.text)) for cell in near if abs(cell.place.left - place.left) <= ALIGNED)


def section_of(rows: Sequence[Row], line: int, cell: Cell, fact: FactName) -> Section:
    """What the heading above a label says, which stands alone on its line where the label begins, or where each line
    down to that of the label does. The name above a postal address in the head of the bill is none, and ends the
    search.
    """
    edge = rows[line][0].place.left
    is_one_column = True
    for at in range(line - 1, -1, -1):
        heading, text = rows[at][0], rows[at][0].text
        is_one_column = is_one_column and abs(heading.place.left - edge) <= ALIGNED
        if len(rows[at]) > 1 or not (is_one_column or abs(heading.place.left - cell.place.left) <= ALIGNED):
            continue
        if len(text.split()) > LONGEST_HEADING or text.endswith(".") or _is_a_fact(text, rows[at + 1]):
            continue
        if (is_of_before(text) or _OTHERS.search(plain(text))) and (_is_bare(text) or _is_without_value(text)):
            return Section(is_other=True, unknown=None)
        if not _is_bare(text):
            continue
        if _is_above_an_address(heading, rows[at + 1]) or _is_plain(text, fact):
            break
        return Section(is_other=False, unknown=heading.place)
    return Section(is_other=False, unknown=None)


def _is_a_fact(text: str, below: Row) -> bool:
    """Whether words are the label of what stands below them or behind them, and no heading."""
    if label_of(text) or _SITE.search(plain(text)) or any(rest for _, rest in label_within(text) if ":" in text):
        return True
    has_value = not _is_bare(below[0].text) and not _OTHERS.search(plain(text)) and not is_of_before(text)
    return has_value and bool(likely_labels(text))


def _is_without_value(text: str) -> bool:
    return ":" not in text and not any(read_amount(word) for word in text.split() if "." in word or "," in word)


def _is_above_an_address(heading: Cell, below: Row) -> bool:
    """Whether a line of a postal address follows close below words in the head of the first page."""
    place, next_place, text = heading.place, below[0].place, below[0].text
    is_next = next_place.top - place.bottom <= heading.height and abs(next_place.left - place.left) <= ALIGNED
    is_address = LETTERS.search(text) and not _is_bare(text) and ":" not in text and not dates_in(text)
    return bool(place.page == 1 and place.top < _HEAD and is_next and is_address and not any(label_within(text)))


def _is_plain(heading: str, fact: FactName) -> bool:
    """Whether every word of a heading is known above the facts of this bill: an account number below words of payment
    may be the one to pay to.
    """
    known = _OF_FACTS if fact == "accountNumber" else _OF_FACTS | _OF_PAYMENT
    return is_plain_heading(_WORD.sub(lambda word: "" if word[0] in known else word[0], plain(heading)))


def _is_bare(text: str) -> bool:
    """Whether a text is words without figures."""
    return bool(LETTERS.search(text)) and not any(letter.isdigit() for letter in text)
