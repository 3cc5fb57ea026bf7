"""What an e-invoice says, whichever syntax it is written in. Amounts are cents, as they stand there: those of a credit
note are not below zero for it.
"""

from datetime import date
from fractions import Fraction
from typing import NamedTuple

from prorata.domain.usage import Usage

CONTRACT, OBJECT, CUSTOMER = "contract", "object", "customer"
"""What an account number may be called: of a contract, of what is invoiced, such as a meter, or of the customer."""


class Tax(NamedTuple):
    """The tax of a line: its category (S, E, Z, AE and so on) and the rate in percent."""

    category: str
    rate: Fraction


class InvoiceLine(NamedTuple):
    """A line with its net amount; `item_id` is the seller's own number of what it charges, `usage` what it says was
    used, with the net price.
    """

    name: str
    cents: int
    tax: Tax | None = None
    item_id: str = ""
    start: date | None = None
    end: date | None = None
    usage: Usage | None = None


class Charge(NamedTuple):
    """What is charged on the whole invoice, net; an allowance is below zero, but in an invoice that takes back one."""

    reason: str
    cents: int
    tax: Tax | None = None
    is_allowance: bool = False


class TaxSum(NamedTuple):
    """What all that is of one tax comes to: net, and the tax."""

    tax: Tax
    net: int | None
    cents: int


class Totals(NamedTuple):
    """The sums that the invoice states; None where it states none."""

    lines: int | None
    allowances: int | None
    charges: int | None
    net: int | None
    tax: int | None
    gross: int
    prepaid: int
    rounding: int
    payable: int


class EInvoice(NamedTuple):
    """An e-invoice. `seller_id` is the tax number by which the seller is known, where there is one; `accounts` what may
    be the account number, by what it is called; `advances` what others ask by it, with their names, tax included.
    `lists_charges` unless its profile has room for their sums alone.
    """

    is_credit: bool
    seller: str
    seller_id: str
    number: str
    issued: date
    currency: str
    totals: Totals
    due: tuple[date, ...] = ()
    start: date | None = None
    end: date | None = None
    accounts: tuple[tuple[str, str], ...] = ()
    address: str = ""
    lines: tuple[InvoiceLine, ...] = ()
    charges: tuple[Charge, ...] = ()
    taxes: tuple[TaxSum, ...] = ()
    advances: tuple[Charge, ...] = ()
    lists_charges: bool = True
