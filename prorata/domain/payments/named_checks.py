"""Paper checks, recognized by the text of a payment's row in a bank's file."""

from collections.abc import Sequence
from re import VERBOSE, compile as pattern

from prorata.domain.files.cells import Cell
from prorata.domain.invoices.ledger import CHEQUE, TRANSFER
from prorata.domain.limits import LONGEST_PAYMENT_TEXT
from prorata.domain.payments.row_texts import said
from prorata.domain.search_terms import folded

_CHECK = r"(?<![\w-])(?<!electronic\ )(?<!\be\ )(?<!\bfrom\ )(?<!\bto\ )(?:s?checks?|cheques?|chq|chk)"
_NUMBER = r"(?=0{0,10}[1-9])[0-9]{2,12}(?![./-]{0,3}\w)"
_SAYS_CHECK = pattern(
    rf"""
    ^(?:(?:paper|mobile|remote|personal|bank|cashiers?|bankers?)\ )?{_CHECK}(?:\ (?:payment|received))?$
    | {_CHECK}(?:[ -]?(?:no|nr|num|number|nummer|numero|n)[ .:\#°]*|[ :]?\#\ ?){_NUMBER}
    | {_CHECK}(?:\.\ |:\ |[ -])?{_NUMBER}[ .]?(?:$|[,;|()]|-\ )
    | ^{_CHECK}\ (?=[0-9]{{3}})(?!20[0-9]{{2}}\b){_NUMBER}
    | {_CHECK}\ (?:deposit|remis)
    | \b(?:deposit|remise|encaissement|depot|ingreso|deposito|abono|cobro)s?\ (?:(?:of|de|en)\ )?{_CHECK}\b
    | \bscheck[ -]?(?:einreichung|einzug|gutschrift|eingang)
    """,
    VERBOSE,
)
"""The ways to say that a payment is a check: the word alone, with its number, or with a word for its deposit.

The word beside other words means nothing: a payer may ask to check something, or pay from a checking account. For the
same reason, a number without a word such as "no." is that of a check only if nothing follows it, or if it begins the
text with the word, and is neither a year nor as short as a house number.
"""
_SAYS_OTHERWISE = pattern(
    r"\b(?:transfers?|transferencia|xfer|wire|ach|zelle|venmo|paypal|virement|uberweisung|please|pls|bitte)\b"
)
"""Words of payments that are no checks, and of requests to check something."""
_OF_AN_ACCOUNT = pattern(r"account|acct|konto|compte|cuenta")
"""The names of columns in which "cheque" means a kind of account."""


def paid_by(columns: Sequence[str], fields: Sequence[str | None], cells: Sequence[Cell]) -> str:
    """Return the method of a row's payment, a check or a transfer.

    It is a check only if a cell other than the one with the payer's name says so. `columns` are the names of the
    file's columns, and `fields` their meanings.

    >>> paid_by(("Type", "Payer"), (None, "name"), ("CHECK_DEPOSIT", "Ann Lee"))
    'CHEQUE'
    >>> paid_by(("Type", "Payer"), (None, "name"), ("ACH", "Check 2000 Ltd"))
    'TRANSFER'
    """
    named = zip(columns, fields, cells, strict=False)
    return (
        CHEQUE if any(field != "name" and says_check(column, said(cell)) for column, field, cell in named) else TRANSFER
    )


def says_check(column: str, text: str) -> bool:
    """True if a cell's text clearly says that a payment is a paper check.

    Digits alone are read together with the name of their column.

    >>> says_check("Details", "CHECK 1042 Ann Lee"), says_check("Check no.", "1042"), says_check("Details", "to check")
    (True, True, False)
    """
    text = _plain(f"{column} {text}" if text.isdigit() else text)
    is_said = _SAYS_CHECK.search(text) is not None and _SAYS_OTHERWISE.search(text) is None
    return is_said and _OF_AN_ACCOUNT.search(_plain(column)) is None


def _plain(text: str) -> str:
    return " ".join(folded(text[:LONGEST_PAYMENT_TEXT]).replace("_", " ").split())
