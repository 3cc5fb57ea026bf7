"""Paper checks, recognized by the text of a payment's row in a bank's file."""

from collections.abc import Sequence
from re import VERBOSE, compile as pattern

from prorata.domain.files.cells import Cell
from prorata.domain.invoices.ledger import CHEQUE, TRANSFER
from prorata.domain.limits import LONGEST_PAYMENT_TEXT
from prorata.domain.payments.row_texts import said
from prorata.domain.search_terms import folded

_CHECK = r"(?<![\w-])(?<!electronic\ )(?<!\be\ )(?:s?checks?|cheques?|chq|chk)"
_SAYS_CHECK = pattern(
    rf"""
    ^(?:(?:paper|mobile|remote|personal|bank|cashiers?|bankers?)\ )?{_CHECK}(?:\ (?:payment|received))?$
    | {_CHECK}[ -]?(?:no|nr|num|number|nummer|numero|n)?[ .:\#°]*(?=0{{0,10}}[1-9])[0-9]{{2,12}}(?![./-]{{0,3}}\w)
    | {_CHECK}\ (?:deposit|remis)
    | \b(?:deposit|remise|encaissement|depot|ingreso|deposito|abono|cobro)s?\ (?:(?:of|de|en)\ )?{_CHECK}\b
    | \bscheck[ -]?(?:einreichung|einzug|gutschrift|eingang)
    """,
    VERBOSE,
)
"""The ways to say that a payment is a check: the word alone, with its number, or with a word for its deposit.

The word beside other words means nothing: a payer may ask to check something, or pay from a checking account.
"""


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
    text = f"{column} {text}" if text.isdigit() else text
    return _SAYS_CHECK.search(" ".join(folded(text[:LONGEST_PAYMENT_TEXT]).replace("_", " ").split())) is not None
