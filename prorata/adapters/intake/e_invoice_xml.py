"""A reader of e-invoices in XML, in the syntax Cross Industry Invoice or UBL.

Factur-X and ZUGFeRD 1 and 2 use the first syntax, Peppol uses the second, and XRechnung uses either. The values of
each syntax are found by a table of paths (`e_invoice_paths`).
"""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal
from fractions import Fraction

from prorata.adapters.intake.e_invoice_paths import IN_CII, IN_UBL, UNITS
from prorata.adapters.intake.xml_trees import Element, read_xml
from prorata.adapters.limits import LONGEST_ITEM_NAME, LONGEST_TAX_NUMBER, MOST_INVOICE_TAXES
from prorata.domain.files.usage_cells import fits
from prorata.domain.intake.e_invoices.e_invoice import (
    CONTRACT,
    CUSTOMER,
    OBJECT,
    Charge,
    EInvoice,
    InvoiceLine,
    Tax,
    TaxSum,
    Totals,
)
from prorata.domain.money import CENTS, decimals_of
from prorata.domain.texts import say
from prorata.domain.usage import Usage
from prorata.errors import InvalidRequest

NO_INVOICE = say(
    "This XML is not a supported e-invoice. Prorata reads Cross Industry Invoices, and UBL invoices and credit notes."
)
LACKS = say("This e-invoice doesn’t state {what}. Ask its sender for a complete one, or enter the bill by hand.")
TWICE = say(
    "This e-invoice has more than one value for {what}. Ask its sender for a corrected one, or enter the bill by hand."
)
NO_AMOUNT = say("This e-invoice has “{amount}” where an amount is expected. Ask its sender for a corrected one.")
TAXES = say("This e-invoice has more than {most} different taxes, so it was not read.", most=MOST_INVOICE_TAXES)
FRACTIONS = say(
    "This e-invoice contains an amount with a fraction of a cent, {amount}. Ask its sender for a corrected one."
)

_CII = re.compile(r"urn:(?:un:unece:uncefact:data:standard:CrossIndustryInvoice|ferd:CrossIndustryDocument)\b")
_UBL = re.compile(r"urn:oasis:names:specification:ubl:schema:xsd:(?:Invoice|CreditNote)-2")
_CREDITS = frozenset(("81", "83", "261", "262", "296", "308", "381", "396", "420", "458", "532"))
"""The codes of UNTDID 1001 for credit notes."""
_OF_AN_OBJECT = "130"
_NOT_SUMMED = ("GROUP", "INFORMATION")
_SHOWN = 40
_WHOLE = 100
"""The highest tax rate, in percent."""
_AMOUNT = re.compile(r"[-+]?[0-9]{1,15}(?:\.[0-9]{0,10})?|[-+]?\.[0-9]{1,10}", re.ASCII)
_DATE = re.compile(r"([0-9]{4})-?([0-9]{2})-?([0-9]{2})(?:[T0-9+Z:.-]*)", re.ASCII)


def read_e_invoice(content: bytes) -> EInvoice:
    """Read an e-invoice, even if its sums disagree.

    Raises `InvalidRequest`, with a sentence for people, if it can't be read.
    """
    root = read_xml(content)
    is_ubl = _UBL.fullmatch(root.namespace) is not None and root.name in ("Invoice", "CreditNote")
    if not (is_ubl or (_CII.match(root.namespace) and root.name.startswith("CrossIndustry"))):
        raise InvalidRequest(NO_INVOICE)
    return _Reader(root, IN_UBL if is_ubl else IN_CII).invoice()


class _Reader:
    """A reader of one e-invoice, with the paths of its syntax."""

    def __init__(self, root: Element, paths: Mapping[str, str]) -> None:
        self._root, self._paths = root, paths
        self._different: set[Tax] = set()
        self._currency = self._needed("currency", say("its currency")).upper()

    def invoice(self) -> EInvoice:
        """Read the whole e-invoice, with its lines, sums and taxes.

        Raises `InvalidRequest` if the e-invoice lacks a required value, such as its date.
        """
        issued = self._day(self._root, "issued")
        if issued is None:
            raise InvalidRequest(LACKS.format(what=say("its date")))
        lines = tuple(self._lines())
        starts, ends = ([day for line in lines if (day := getattr(line, name))] for name in ("start", "end"))
        return EInvoice(
            is_credit=self._root.name == "CreditNote" or self._one(self._root, "code") in _CREDITS,
            seller=self._needed("seller", say("who sent it")),
            seller_id=self._tax_number(),
            number=self._needed("number", say("its number")),
            issued=issued,
            currency=self._currency,
            totals=self._totals(),
            due=tuple(sorted({day for text in self._said(self._root, "due") if (day := _date(text))})),
            start=self._day(self._root, "start") or min(starts, default=None),
            end=self._day(self._root, "end") or max(ends, default=None),
            accounts=tuple(self._accounts()),
            address=self._address(),
            lines=lines,
            charges=tuple(self._charges()),
            taxes=tuple(self._taxes()),
            advances=tuple(self._advances()),
            lists_charges="urn:ferd:CrossIndustryDocument:invoice:1p0:basic" not in self._said(self._root, "profile"),
        )

    def _said(self, within: Element, what: str) -> list[str]:
        return within.texts(self._paths[what])

    def _one(self, within: Element, what: str) -> str:
        """Return the only value at a path, or an empty string if there is none.

        Raises `InvalidRequest` if there are several values.
        """
        values = self._said(within, what)
        if len(values) > 1:
            raise InvalidRequest(TWICE.format(what=what))
        return values[0] if values else ""

    def _needed(self, what: str, in_words: str) -> str:
        value = self._one(self._root, what)
        if not value:
            raise InvalidRequest(LACKS.format(what=in_words))
        return value

    def _day(self, within: Element, what: str) -> date | None:
        text = self._one(within, what)
        return _date(text) if text else None

    def _amount(self, within: Element, what: str) -> int | None:
        """Read an amount in cents; None if the e-invoice doesn't state it.

        `what` is the amount's name in the table of paths. Only amounts in the invoice's currency are read, because
        amounts in other currencies are stated for tax purposes only. Raises `InvalidRequest` if several different
        amounts are stated.
        """
        there = [element for element in within.all(self._paths[what]) if element.text.strip()]
        mine = [element for element in there if element.attributes.get("currencyID", self._currency) == self._currency]
        amounts = {_cents(element.text.strip()) for element in mine}
        if len(amounts) > 1:
            raise InvalidRequest(TWICE.format(what=what))
        return amounts.pop() if amounts else None

    def _totals(self) -> Totals:
        gross, payable, prepaid = (self._amount(self._root, what) for what in ("gross sum", "payable", "prepaid"))
        rounding = self._amount(self._root, "rounding") or 0
        sum_names = ("line sum", "allowance sum", "charge sum", "net sum", "tax sum")
        lines, allowances, charges, net, tax = (self._amount(self._root, what) for what in sum_names)
        if gross is None:
            raise InvalidRequest(LACKS.format(what=say("its total")))
        if payable is None:
            payable = gross - (prepaid or 0) + rounding
        elif prepaid is None and lines is None:  # a profile without either: taken from the difference
            prepaid = gross + rounding - payable
        return Totals(lines, allowances, charges, net, tax, gross, prepaid or 0, rounding, payable)

    def _lines(self) -> Iterator[InvoiceLine]:
        for line in self._root.all(self._paths["lines"]):
            cents = self._amount(line, "line net")
            if cents is None or self._one(line, "line status") in _NOT_SUMMED:
                continue
            item_id = self._one(line, "item id")
            yield InvoiceLine(
                name=" ".join(self._said(line, "item"))[:LONGEST_ITEM_NAME],
                cents=cents,
                tax=self._tax(line, "line tax"),
                item_id="" if item_id == self._one(line, "line number") else item_id[:LONGEST_ITEM_NAME],
                start=self._day(line, "line start"),
                end=self._day(line, "line end"),
                usage=self._usage(line),
            )

    def _usage(self, line: Element) -> Usage | None:
        """Read a line's usage and unit price, if the line's unit measures usage.

        Values that are unclear or not finite decimals are left out, because no amount depends on them.
        """
        used, price, of = (next(line.all(self._paths[what]), None) for what in ("used", "price", "price of"))
        unit = UNITS.get(_code(used))
        number = _decimal(used)
        if unit is None or number is None:
            return None
        base = Decimal(1) if of is None else _decimal(of) if _code(of) in ("", _code(used)) else None
        in_another = price is not None and price.attributes.get("currencyID", self._currency) != self._currency
        amount = None if in_another else _decimal(price)
        return Usage(number, unit, None if amount is None or not base else _divided(amount, base))

    def _charges(self) -> Iterator[Charge]:
        for charge in self._root.all(self._paths["charges"]):
            cents = self._amount(charge, "charge") or 0
            is_allowance = self._one(charge, "is charge").lower() in ("false", "0")
            reason = " ".join(self._said(charge, "charge reason"))[:LONGEST_ITEM_NAME]
            if cents:
                yield Charge(reason, -cents if is_allowance else cents, self._tax(charge, "charge tax"), is_allowance)

    def _taxes(self) -> Iterator[TaxSum]:
        for tax_sum in self._root.all(self._paths["taxes"]):
            of, cents = self._tax(tax_sum, "tax of"), self._amount(tax_sum, "tax amount")
            net = self._amount(tax_sum, "tax net")
            if of is not None and cents is not None:
                yield TaxSum(of, net, cents)

    def _tax(self, within: Element, what: str) -> Tax | None:
        for element in within.all(self._paths[what]):
            category, rate = self._one(element, "category"), self._one(element, "rate")
            if category or rate:
                tax = Tax(category, _number(rate) if rate else Fraction(0))
                if not 0 <= tax.rate <= _WHOLE:
                    raise InvalidRequest(NO_AMOUNT.format(amount=rate[:_SHOWN]))
                self._different.add(tax)
                if len(self._different) > MOST_INVOICE_TAXES:
                    raise InvalidRequest(TAXES)
                return tax
        return None

    def _advances(self) -> Iterator[Charge]:
        """Yield the amounts that the issuer collects for other companies, as charges.

        Only an XRechnung with the extension for such amounts has them. In other e-invoices, the same elements state
        amounts that were prepaid.
        """
        if not any("extension" in text for text in self._said(self._root, "profile")):
            return
        for advance in self._root.all(self._paths["advances"]):
            yield Charge(" ".join(self._said(advance, "advance reason")), self._amount(advance, "advance") or 0)

    def _accounts(self) -> Iterator[tuple[str, str]]:
        for name in (CONTRACT, CUSTOMER):
            yield from ((name, text) for text in self._said(self._root, name))
        for reference in self._root.all(self._paths["references"]):
            if self._one(reference, "reference code") == _OF_AN_OBJECT:
                yield from ((OBJECT, text) for text in self._said(reference, "reference"))

    def _address(self) -> str:
        for address in self._root.all(self._paths["address"]):
            street, code, city = (" ".join(self._said(address, what)) for what in ("streets", "post code", "city"))
            return ", ".join(part for part in (street, f"{code} {city}".strip()) if part)[:LONGEST_ITEM_NAME]
        return ""

    def _tax_number(self) -> str:
        """Return the seller's VAT number."""
        for tax_number in self._root.all(self._paths["tax numbers"]):
            for number in tax_number.all("ID|CompanyID"):
                scheme = number.attributes.get("schemeID") or " ".join(tax_number.texts("TaxScheme/ID"))
                if scheme in ("VA", "VAT"):
                    return "".join(number.text.split()).upper()[:LONGEST_TAX_NUMBER]
        return ""


def _number(text: str) -> Fraction:
    if not _AMOUNT.fullmatch(text):
        raise InvalidRequest(NO_AMOUNT.format(amount=text[:_SHOWN]))
    return Fraction(text)


def _code(quantity: Element | None) -> str:
    return "" if quantity is None else quantity.attributes.get("unitCode", "")


def _decimal(element: Element | None) -> Decimal | None:
    """Parse the number in an element; return None if no bill can contain it."""
    text = "" if element is None else element.text.strip()
    number = Decimal(text) if _AMOUNT.fullmatch(text) else None
    return number if number is not None and fits(abs(number)) else None


def _divided(price: Decimal, base: Decimal) -> Decimal | None:
    """Compute the unit price from a price for a base quantity.

    Return None if the unit price has too many decimals.
    """
    quotient = Fraction(price) / Fraction(base)
    places = decimals_of(quotient)
    if places is None or quotient < 0:
        return None
    exact = Decimal(int(quotient * 10**places)).scaleb(-places)
    return exact if fits(exact) else None


def _cents(text: str) -> int:
    cents = _number(text) * 10**CENTS
    if cents.denominator != 1:
        raise InvalidRequest(FRACTIONS.format(amount=text[:_SHOWN]))
    return int(cents)


def _date(text: str) -> date | None:
    """Parse a day; return None for a week, a month or an unknown format."""
    match = _DATE.fullmatch(text)
    try:
        return date(*map(int, match.groups())) if match else None
    except ValueError:
        return None
