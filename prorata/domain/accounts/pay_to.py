"""An account's or property's payment instructions: free text, and the bank account to pay into."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from prorata.domain.limits import LONGEST_PAY_TEXT, LONGEST_PAYEE, MOST_PAY_TEXT_LINES
from prorata.domain.problems import Problem
from prorata.domain.texts import say

_IBAN = re.compile(r"[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}", re.ASCII)
_BIC = re.compile(r"[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?", re.ASCII)
_ROUTING = re.compile(r"[0-9]{9}", re.ASCII)
_ROUTING_WEIGHTS = (3, 7, 1) * 3
_NUMBER = re.compile(r"[A-Z0-9](?:[A-Z0-9 -]{2,15})[A-Z0-9]", re.ASCII)


class PayTo(NamedTuple):
    """Payment instructions: a free `text`, and the bank account to pay into, if any.

    The account is given by its `iban`, or by its `routing` and account `number`.
    """

    text: str = ""
    holder: str = ""
    iban: str = ""
    bic: str = ""
    routing: str = ""
    number: str = ""

    @property
    def is_bank(self) -> bool:
        """True if the payment instructions contain an IBAN or an account number."""
        return bool(self.iban or self.number)


COLUMNS = tuple(f"pay_{name}" for name in PayTo._fields)
"""The payment instruction columns of an account, or of a property with its own."""


def pay_to_of(row: Any) -> PayTo:
    """Read the payment instructions from the database row of an account or property."""
    return PayTo(*(getattr(row, column) for column in COLUMNS))


def columns_of(pay: PayTo) -> dict[str, Any]:
    """Map payment instructions to the database columns of an account or property."""
    return dict(zip(COLUMNS, pay, strict=True))


def cleaned(values: Mapping[str, str]) -> dict[str, str]:
    r"""Clean the columns of payment instructions for storage.

    Bank codes lose spaces and hyphens and become upper case. Lines of text lose surrounding and repeated white
    space, which often comes from pasting.

    >>> cleaned({"pay_iban": "de89 3704 0044-0532-0130 00", "pay_text": " By\u00a0the 5th. \r\nThanks. "})
    {'pay_iban': 'DE89370400440532013000', 'pay_text': 'By the 5th.\nThanks.'}
    """
    return {name: _cleaned(name, value) for name, value in values.items()}


def _cleaned(name: str, value: str) -> str:
    if name in ("pay_iban", "pay_bic", "pay_routing"):
        return "".join(value.upper().replace("-", "").split())
    if name == "pay_text":
        return "\n".join(" ".join(line.split()) for line in value.strip().splitlines())
    return " ".join(value.split())


def pay_to_problems(pay: PayTo) -> list[Problem]:
    """List all problems of payment instructions, by column (ISO 13616, ISO 9362, ABA routing numbers).

    >>> [one.field for one in pay_to_problems(PayTo(iban="DE88370400440532013000", routing="021000021"))]
    ['pay_iban', 'pay_number']
    >>> pay_to_problems(PayTo("By cheque.", "Maple Homes", routing="021000021", number="12345678"))
    []
    """
    alone = list(_alone(pay))
    known = {problem.field for problem in alone}
    return [*alone, *(problem for problem in _together(pay) if problem.field not in known)]


def _alone(pay: PayTo) -> Iterator[Problem]:
    """Yield the problems of single fields, which don't depend on the other fields."""
    lines = pay.text.splitlines()
    if len(pay.text) > LONGEST_PAY_TEXT or len(lines) > MOST_PAY_TEXT_LINES:
        message = say(
            "Enter at most {lines} lines and {most} characters.", lines=MOST_PAY_TEXT_LINES, most=LONGEST_PAY_TEXT
        )
        yield Problem("pay_text", message)
    elif not all(map(str.isprintable, lines)):
        yield Problem(
            "pay_text", say("It contains a character that can’t be printed. Type the text instead of pasting it.")
        )
    if len(pay.holder) > LONGEST_PAYEE:
        yield Problem("pay_holder", say("Enter a name of at most {most} characters.", most=LONGEST_PAYEE))
    elif not pay.holder.isprintable():
        yield Problem(
            "pay_holder", say("It contains a character that can’t be printed. Type the text instead of pasting it.")
        )
    if pay.iban and not is_iban(pay.iban):
        yield Problem(
            "pay_iban",
            say("This is not a valid IBAN: a character is wrong or missing. Compare it with a bank statement."),
        )
    if pay.bic and not _BIC.fullmatch(pay.bic):
        yield Problem("pay_bic", say("A BIC has 8 or 11 letters and digits, such as COBADEFFXXX."))
    if pay.routing and not is_routing_number(pay.routing):
        yield Problem(
            "pay_routing",
            say(
                "This is not a valid routing number: one of its nine digits is wrong or missing. Compare it with "
                "a check."
            ),
        )
    if pay.number and not _NUMBER.fullmatch(pay.number.upper()):
        yield Problem("pay_number", say("An account number has 4 to 17 digits or letters."))


def _together(pay: PayTo) -> Iterator[Problem]:
    """Yield the problems that concern two fields: contradictory values, or a missing second value."""
    if pay.iban and pay.number:
        yield Problem("pay_number", say("Enter an IBAN, or a routing and account number, but not both."))
    if pay.bic and not pay.iban:
        yield Problem("pay_iban", say("Enter the IBAN that goes with the BIC."))
    if bool(pay.routing) != bool(pay.number):
        missing = "pay_number" if pay.routing else "pay_routing"
        yield Problem(missing, say("Enter the routing number and the account number, or neither."))
    if pay.holder and not (pay.is_bank or pay.bic or pay.routing):
        yield Problem("pay_iban", say("Enter the account holder's IBAN, or a routing and account number."))


def is_iban(text: str) -> bool:
    """True if text is an IBAN with correct check digits (ISO 13616).

    >>> is_iban("GB82WEST12345698765432"), is_iban("GB82WEST12345698765423")
    (True, False)
    """
    if not _IBAN.fullmatch(text):
        return False
    return int("".join(str(int(char, 36)) for char in text[4:] + text[:4])) % 97 == 1


def is_routing_number(text: str) -> bool:
    """True if text is nine digits with a correct check digit (ABA).

    >>> is_routing_number("021000021"), is_routing_number("021000012")
    (True, False)
    """
    if not _ROUTING.fullmatch(text):
        return False
    return sum(int(digit) * weight for digit, weight in zip(text, _ROUTING_WEIGHTS, strict=True)) % 10 == 0


def in_groups(iban: str) -> str:
    """Format an IBAN for print, in groups of four characters.

    >>> in_groups("DE89370400440532013000")
    'DE89 3704 0044 0532 0130 00'
    """
    return " ".join(iban[at : at + 4] for at in range(0, len(iban), 4))
