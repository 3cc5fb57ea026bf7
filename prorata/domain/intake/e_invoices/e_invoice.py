"""The contents of an e-invoice in any syntax.

Amounts are cents as stated; the amounts of a credit note are not negative.
"""

from datetime import date
from fractions import Fraction
from typing import NamedTuple

from prorata.domain.usage import Usage

CONTRACT, OBJECT, CUSTOMER = "contract", "object", "customer"
"""The kinds of account numbers.

An account number is the number of a contract, of an invoiced object such as a meter, or of the customer.
"""


class Tax(NamedTuple):
    """The tax of a line: its category and the rate in percent.

    The category is S, E, Z, AE or another code.
    """

    category: str
    rate: Fraction


class InvoiceLine(NamedTuple):
    """A line of an e-invoice with its net amount.

    `item_id` is the seller's own number for the item. `usage` is the stated quantity, with its net price.
    """

    name: str
    cents: int
    tax: Tax | None = None
    item_id: str = ""
    start: date | None = None
    end: date | None = None
    usage: Usage | None = None


class Charge(NamedTuple):
    """A charge or allowance on the whole invoice, without tax.

    `cents` is negative for an allowance, and positive for an allowance that is taken back.
    """

    reason: str
    cents: int
    tax: Tax | None = None
    is_allowance: bool = False


class TaxSum(NamedTuple):
    """The sum of one tax, in cents, with the net amount that is taxed."""

    tax: Tax
    net: int | None
    cents: int


class Totals(NamedTuple):
    """The sums that the invoice states; None for sums that it does not state."""

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
    """An e-invoice, with its amounts in cents.

    `seller_id` is the tax number by which the seller is known, if any. `accounts` are pairs of a possible account
    number and the name of the field that contains it. `advances` are named amounts, including tax, that the seller
    collects for third parties. `lists_charges` is false if the invoice's profile has room only for the sums of
    charges.
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
