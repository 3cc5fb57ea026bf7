"""The direction of money, read from a column of words such as Debit and Credit.

Some bank files have such a column next to amounts without a sign. Debit, Soll, Dr or S means that money went out;
Credit, Haben, Cr or H means that money came in.
"""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from re import compile as pattern
from typing import Final, Literal

from prorata.domain.currency_signs import parted
from prorata.domain.files.cells import Cell
from prorata.domain.search_terms import folded

Way = Literal["came", "went"]
CAME: Final = "came"
WENT: Final = "went"
_SAY_CAME = (
    "credit credits cr crdt in incoming inflow received receipt receipts deposit deposits moneyin paidin haben "
    "gutschrift eingang zahlungseingang credito abono haber ingreso entrada entree encaissement bij erin +"
)
_SAY_WENT = (
    "debit debits dr dbit out outgoing outflow sent withdrawal withdrawals moneyout paidout soll lastschrift "
    "belastung ausgang zahlungsausgang debito cargo debe egreso salida sortie decaissement af uit -"
)
_WORDS: dict[str, Way] = {**dict.fromkeys(_SAY_CAME.split(), CAME), **dict.fromkeys(_SAY_WENT.split(), WENT)}
_LETTERS: tuple[Mapping[str, Way], ...] = (
    {"c": CAME, "d": WENT}, {"h": CAME, "s": WENT}, {"h": CAME, "d": WENT}, {"d": CAME, "w": WENT},
)  # fmt: skip
"""The directions of single letters, by pair of words.

The pairs are credit and debit, Haben and Soll, haber and debe, and deposit and withdrawal. A lone D may have either
direction.
"""
_MAY_SAY_WENT = {letter for meanings in _LETTERS for letter, way in meanings.items() if way == WENT}
_MARKS = pattern(r"[\s._/()-]+")
_IS_SOME = pattern(r"[1-9]")
_OF_A_CARD = pattern(r"card|karte|carte|tarjeta|method|methode")
"""The names of columns in which "Debit" means a kind of card."""


def plain(cell: Cell) -> str:
    """Normalize a direction: no case, accents, spaces or punctuation, except a lone sign.

    >>> plain(" Money-In "), plain("Débit"), plain("-"), plain(None)
    ('moneyin', 'debit', '-', '')
    """
    text = folded(cell).strip() if isinstance(cell, str) else ""
    return text if text in _WORDS else _MARKS.sub("", text)


def ways(texts: Iterable[str]) -> Mapping[str, Way | None]:
    """Return the direction that each `plain` text of a column means; None if unclear.

    The meaning of a single letter depends on the other letters in its column: D is a debit if C also occurs, and a
    deposit if W does. A lone D may be either, so the result is None.

    >>> ways(["credit", "fee"]), ways(["d", "c"]), ways(["d", "w"]), ways(["d"])
    ({'credit': 'came', 'fee': None}, {'d': 'went', 'c': 'came'}, {'d': 'came', 'w': 'went'}, {'d': None})
    """
    its_texts = list(texts)
    letters = {text_said for text_said in its_texts if len(text_said) == 1 and text_said.isalpha()}
    read_as = [letter_ways for letter_ways in _LETTERS if letters <= letter_ways.keys()]

    def way(text: str) -> Way | None:
        if text not in letters:
            return _WORDS.get(text)
        meanings = {letter_ways[text] for letter_ways in read_as}
        return meanings.pop() if len(meanings) == 1 else None

    return {text: way(text) for text in its_texts}


def says_which_way(name: str, texts: Iterable[str]) -> bool:
    """True if every `plain` text of a column is a direction of money.

    If the column's name is about cards or means of payment, the result is False, because "debit" then means a kind
    of card.

    >>> says_which_way("Type", ["debit", "credit"]), says_which_way("Type", ["debit", "fee"])
    (True, False)
    >>> says_which_way("Card type", ["debit", "credit"])
    False
    """
    its_ways = ways(texts)
    return bool(its_ways) and None not in its_ways.values() and not _OF_A_CARD.search(folded(name))


def may_say_which_way(texts: Iterable[str]) -> bool:
    """True if a column may contain directions, so that a person is asked.

    This is so if a value means outgoing money, or is a single letter that may mean it.

    >>> may_say_which_way(["debit", "fee", "atm"]), may_say_which_way(["d"]), may_say_which_way(["annlee", "bochen"])
    (True, True, False)
    """
    its_ways = ways(texts)
    return WENT in its_ways.values() or not _MAY_SAY_WENT.isdisjoint(its_ways)


def is_below_zero(amount: Cell) -> bool:
    """True if an amount is negative, in any notation.

    >>> [is_below_zero(one) for one in ("-9.90", "9,90 EUR-", "(9.90)", "$-9.90", "45.-", "45.00", "n/a", None)]
    [True, True, True, True, False, False, False, False]
    """
    if isinstance(amount, str):
        before, _, after = parted(amount) or ("", "", "")
        return "-" in before + after or "(" in before
    return isinstance(amount, int | Decimal) and amount < 0


def is_above_zero(amount: Cell) -> bool:
    """True if an amount is positive.

    >>> [is_above_zero(one) for one in ("45.00", "-9.90", "0.00", "", None, 7)]
    [True, False, False, False, False, True]
    """
    if isinstance(amount, str):
        _, figures, _ = parted(amount) or ("", "", "")
        return _IS_SOME.search(figures) is not None and not is_below_zero(amount)
    return isinstance(amount, int | Decimal) and amount > 0
