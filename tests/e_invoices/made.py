"""E-invoices for tests, made from given facts in either syntax.

Their sums agree unless other sums are given.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Line(NamedTuple):
    """A line of an e-invoice, with its tax rate in percent.

    `used` is a quantity with the code of its unit of measure. `price` is the price of one such unit, or of the quantity
    after ` per `, which may also have a code.
    """

    name: str
    net: int
    rate: int = 19
    item_id: str = ""
    used: str = ""
    price: str = ""


class Made(NamedTuple):
    """The contents of an e-invoice.

    `charges` are reasons with amounts and rates; those below zero are allowances. `sums` replaces the correct sums.
    """

    lines: Sequence[Line] = (Line("Water supply", 100_00),)
    seller: str = "Stadtwerke Musterstadt GmbH"
    tax_number: str = "DE123456789"
    number: str = "R-2026-17"
    issued: str = "2026-03-14"
    due: str = "2026-04-01"
    period: tuple[str, str] | None = ("2026-02-01", "2026-02-28")
    contract: str = "4711-20"
    customer: str = ""
    charges: Sequence[tuple[str, int, int]] = ()
    prepaid: int = 0
    rounding: int = 0
    code: str = "380"
    sums: Mapping[str, int] = {}

    def all_sums(self) -> dict[str, int]:
        """Every sum that the e-invoice states."""
        lines = sum(line.net for line in self.lines)
        charges = sum(cents for _, cents, _ in self.charges if cents > 0)
        allowances = -sum(cents for _, cents, _ in self.charges if cents < 0)
        net, tax = lines - allowances + charges, sum(tax for _, tax in self.taxes().values())
        payable = net + tax - self.prepaid + self.rounding
        sums = {"lines": lines, "charges": charges, "allowances": allowances, "net": net, "tax": tax}
        return {**sums, "gross": net + tax, "payable": payable, **self.sums}

    def taxes(self) -> dict[int, tuple[int, int]]:
        """The net amount and the tax of each rate."""
        nets: dict[int, int] = {}
        for rate, cents in [*((one.rate, one.net) for one in self.lines), *((one[2], one[1]) for one in self.charges)]:
            nets[rate] = nets.get(rate, 0) + cents
        return {rate: (net, round(net * rate / 100)) for rate, net in nets.items()}


EUROS = 'currencyID="EUR"'


def money(cents: int) -> str:
    return f"{cents / 100:.2f}"


def quantity(tag: str, said: str) -> str:
    """An element with a quantity such as `412 KWH`; no element if `said` is empty.

    The code of the unit of measure may be missing.
    """
    number, _, code = said.partition(" ")
    unit = f' unitCode="{code}"' if code else ""
    return f"<{tag}{unit}>{number}</{tag}>" if said else ""


def cii(of: Made = Made()) -> bytes:  # noqa: B008 - it never changes
    """A Cross Industry Invoice, which is the syntax of Factur-X and of XRechnung."""
    sums = {name: money(cents) for name, cents in of.all_sums().items()}
    day = '<udt:DateTimeString format="102">{}</udt:DateTimeString>'

    def period(name: str, which: int) -> str:
        return f"<{name}>{day.format(of.period[which].replace('-', ''))}</{name}>" if of.period else ""

    lines, charges, taxes = _in_cii(of)
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"
 xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100"
 xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100">
<rsm:ExchangedDocument><ram:ID>{of.number}</ram:ID><ram:TypeCode>{of.code}</ram:TypeCode>
<ram:IssueDateTime>{day.format(of.issued.replace("-", ""))}</ram:IssueDateTime></rsm:ExchangedDocument>
<rsm:SupplyChainTradeTransaction>{lines}<ram:ApplicableHeaderTradeAgreement><ram:SellerTradeParty>
<ram:Name>{of.seller}</ram:Name><ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">{of.tax_number}</ram:ID>
</ram:SpecifiedTaxRegistration></ram:SellerTradeParty><ram:BuyerTradeParty><ram:ID>{of.customer}</ram:ID>
</ram:BuyerTradeParty><ram:ContractReferencedDocument><ram:IssuerAssignedID>{of.contract}</ram:IssuerAssignedID>
</ram:ContractReferencedDocument></ram:ApplicableHeaderTradeAgreement><ram:ApplicableHeaderTradeDelivery>
<ram:ShipToTradeParty><ram:PostalTradeAddress><ram:PostcodeCode>12345</ram:PostcodeCode>
<ram:LineOne>Ahornweg 5</ram:LineOne><ram:CityName>Musterstadt</ram:CityName></ram:PostalTradeAddress>
</ram:ShipToTradeParty></ram:ApplicableHeaderTradeDelivery><ram:ApplicableHeaderTradeSettlement>
<ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>{taxes}<ram:BillingSpecifiedPeriod>
{period("ram:StartDateTime", 0)}{period("ram:EndDateTime", 1)}</ram:BillingSpecifiedPeriod>{charges}
<ram:SpecifiedTradePaymentTerms><ram:DueDateDateTime>{day.format(of.due.replace("-", ""))}</ram:DueDateDateTime>
</ram:SpecifiedTradePaymentTerms><ram:SpecifiedTradeSettlementHeaderMonetarySummation>
<ram:LineTotalAmount>{sums["lines"]}</ram:LineTotalAmount><ram:ChargeTotalAmount>{sums["charges"]}</ram:ChargeTotalAmount>
<ram:AllowanceTotalAmount>{sums["allowances"]}</ram:AllowanceTotalAmount>
<ram:TaxBasisTotalAmount>{sums["net"]}</ram:TaxBasisTotalAmount>
<ram:TaxTotalAmount currencyID="EUR">{sums["tax"]}</ram:TaxTotalAmount>
<ram:RoundingAmount>{money(of.rounding)}</ram:RoundingAmount><ram:GrandTotalAmount>{sums["gross"]}</ram:GrandTotalAmount>
<ram:TotalPrepaidAmount>{money(of.prepaid)}</ram:TotalPrepaidAmount>
<ram:DuePayableAmount>{sums["payable"]}</ram:DuePayableAmount></ram:SpecifiedTradeSettlementHeaderMonetarySummation>
</ram:ApplicableHeaderTradeSettlement></rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>""".encode()


def _in_cii(of: Made) -> tuple[str, str, str]:
    """The lines, charges and taxes of a Cross Industry Invoice."""

    def tax(tag: str, rate: int, more: str = "") -> str:
        return (
            f"<ram:{tag}>{more}<ram:TypeCode>VAT</ram:TypeCode><ram:CategoryCode>{_category(rate)}</ram:CategoryCode>"
            f"<ram:RateApplicablePercent>{rate}</ram:RateApplicablePercent></ram:{tag}>"
        )

    lines = "".join(
        f"<ram:IncludedSupplyChainTradeLineItem><ram:AssociatedDocumentLineDocument><ram:LineID>{number}</ram:LineID>"
        "</ram:AssociatedDocumentLineDocument><ram:SpecifiedTradeProduct>"
        f"<ram:SellerAssignedID>{line.item_id}</ram:SellerAssignedID><ram:Name>{line.name}</ram:Name>"
        "</ram:SpecifiedTradeProduct><ram:SpecifiedLineTradeAgreement><ram:NetPriceProductTradePrice>"
        f"{quantity('ram:ChargeAmount', line.price.partition(' per ')[0])}"
        f"{quantity('ram:BasisQuantity', line.price.partition(' per ')[2])}</ram:NetPriceProductTradePrice>"
        "</ram:SpecifiedLineTradeAgreement><ram:SpecifiedLineTradeDelivery>"
        f"{quantity('ram:BilledQuantity', line.used)}</ram:SpecifiedLineTradeDelivery>"
        f"<ram:SpecifiedLineTradeSettlement>{tax('ApplicableTradeTax', line.rate)}"
        f"<ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount>{money(line.net)}"
        "</ram:LineTotalAmount></ram:SpecifiedTradeSettlementLineMonetarySummation></ram:SpecifiedLineTradeSettlement>"
        "</ram:IncludedSupplyChainTradeLineItem>"
        for number, line in enumerate(of.lines, 1)
    )
    charges = "".join(
        f"<ram:SpecifiedTradeAllowanceCharge><ram:ChargeIndicator><udt:Indicator>{'true' if cents > 0 else 'false'}"
        f"</udt:Indicator></ram:ChargeIndicator><ram:ActualAmount>{money(abs(cents))}</ram:ActualAmount>"
        f"<ram:Reason>{reason}</ram:Reason>{tax('CategoryTradeTax', rate)}</ram:SpecifiedTradeAllowanceCharge>"
        for reason, cents, rate in of.charges
    )
    taxes = "".join(
        tax(
            "ApplicableTradeTax",
            rate,
            f"<ram:CalculatedAmount>{money(cents)}</ram:CalculatedAmount><ram:BasisAmount>{money(net)}</ram:BasisAmount>",
        )
        for rate, (net, cents) in of.taxes().items()
    )
    return lines, charges, taxes


def ubl(of: Made = Made(), kind: str = "Invoice") -> bytes:  # noqa: B008 - it never changes
    """A UBL invoice, or a credit note if that is its `kind`."""
    sums = {name: money(cents) for name, cents in of.all_sums().items()}
    lines, charges, taxes = _in_ubl(of, kind)
    start, end = of.period or ("", "")
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<{kind} xmlns="urn:oasis:names:specification:ubl:schema:xsd:{kind}-2"
 xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
 xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
<cbc:ID>{of.number}</cbc:ID><cbc:IssueDate>{of.issued}</cbc:IssueDate><cbc:DueDate>{of.due}</cbc:DueDate>
<cbc:{kind}TypeCode>{of.code}</cbc:{kind}TypeCode><cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>
<cac:InvoicePeriod><cbc:StartDate>{start}</cbc:StartDate><cbc:EndDate>{end}</cbc:EndDate></cac:InvoicePeriod>
<cac:ContractDocumentReference><cbc:ID>{of.contract}</cbc:ID></cac:ContractDocumentReference>
<cac:AccountingSupplierParty><cac:Party><cac:PartyTaxScheme><cbc:CompanyID>{of.tax_number}</cbc:CompanyID>
<cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme><cac:PartyLegalEntity>
<cbc:RegistrationName>{of.seller}</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party>
</cac:AccountingSupplierParty><cac:AccountingCustomerParty><cac:Party><cac:PartyIdentification>
<cbc:ID>{of.customer}</cbc:ID></cac:PartyIdentification></cac:Party></cac:AccountingCustomerParty><cac:Delivery>
<cac:DeliveryLocation><cac:Address><cbc:StreetName>Ahornweg 5</cbc:StreetName><cbc:CityName>Musterstadt</cbc:CityName>
<cbc:PostalZone>12345</cbc:PostalZone></cac:Address></cac:DeliveryLocation></cac:Delivery>{charges}<cac:TaxTotal>
<cbc:TaxAmount {EUROS}>{sums["tax"]}</cbc:TaxAmount>{taxes}</cac:TaxTotal><cac:LegalMonetaryTotal>
<cbc:LineExtensionAmount {EUROS}>{sums["lines"]}</cbc:LineExtensionAmount>
<cbc:TaxExclusiveAmount {EUROS}>{sums["net"]}</cbc:TaxExclusiveAmount>
<cbc:TaxInclusiveAmount {EUROS}>{sums["gross"]}</cbc:TaxInclusiveAmount>
<cbc:AllowanceTotalAmount {EUROS}>{sums["allowances"]}</cbc:AllowanceTotalAmount>
<cbc:ChargeTotalAmount {EUROS}>{sums["charges"]}</cbc:ChargeTotalAmount>
<cbc:PrepaidAmount {EUROS}>{money(of.prepaid)}</cbc:PrepaidAmount>
<cbc:PayableRoundingAmount {EUROS}>{money(of.rounding)}</cbc:PayableRoundingAmount>
<cbc:PayableAmount {EUROS}>{sums["payable"]}</cbc:PayableAmount></cac:LegalMonetaryTotal>{lines}</{kind}>""".encode()


def _in_ubl(of: Made, kind: str) -> tuple[str, str, str]:
    """The lines, charges and taxes of a UBL document."""

    def tax(tag: str, rate: int) -> str:
        return (
            f"<cac:{tag}><cbc:ID>{_category(rate)}</cbc:ID><cbc:Percent>{rate}</cbc:Percent>"
            f"<cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:{tag}>"
        )

    lines = "".join(
        f"<cac:{kind}Line><cbc:ID>{number}</cbc:ID>"
        f"{quantity('cbc:InvoicedQuantity' if kind == 'Invoice' else 'cbc:CreditedQuantity', line.used)}"
        f"<cbc:LineExtensionAmount {EUROS}>{money(line.net)}"
        f"</cbc:LineExtensionAmount><cac:Item><cbc:Name>{line.name}</cbc:Name><cac:SellersItemIdentification>"
        f"<cbc:ID>{line.item_id}</cbc:ID></cac:SellersItemIdentification>{tax('ClassifiedTaxCategory', line.rate)}"
        f"</cac:Item><cac:Price>{quantity('cbc:PriceAmount', line.price.partition(' per ')[0])}"
        f"{quantity('cbc:BaseQuantity', line.price.partition(' per ')[2])}</cac:Price></cac:{kind}Line>"
        for number, line in enumerate(of.lines, 1)
    )
    charges = "".join(
        f"<cac:AllowanceCharge><cbc:ChargeIndicator>{'true' if cents > 0 else 'false'}</cbc:ChargeIndicator>"
        f"<cbc:AllowanceChargeReason>{reason}</cbc:AllowanceChargeReason>"
        f"<cbc:Amount {EUROS}>{money(abs(cents))}</cbc:Amount>{tax('TaxCategory', rate)}</cac:AllowanceCharge>"
        for reason, cents, rate in of.charges
    )
    taxes = "".join(
        f"<cac:TaxSubtotal><cbc:TaxableAmount {EUROS}>{money(net)}</cbc:TaxableAmount>"
        f"<cbc:TaxAmount {EUROS}>{money(cents)}</cbc:TaxAmount>{tax('TaxCategory', rate)}</cac:TaxSubtotal>"
        for rate, (net, cents) in of.taxes().items()
    )
    return lines, charges, taxes


def _category(rate: int) -> str:
    return "S" if rate else "E"
