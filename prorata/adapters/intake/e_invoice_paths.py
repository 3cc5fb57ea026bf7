"""The paths of an e-invoice's values in each syntax.

A step of a path may have several names, separated by `|`. If there are two paths, the first one at which the
invoice has a value counts. `-` means that the syntax has no such value.

If an element has a different name in ZUGFeRD 1 than in later versions, the ZUGFeRD 1 name comes second.
"""

from collections.abc import Mapping

from prorata.domain.intake.e_invoices.e_invoice import CONTRACT, CUSTOMER

_AGREEMENT, _DELIVERY, _SETTLEMENT = (
    f"SupplyChainTradeTransaction|SpecifiedSupplyChainTradeTransaction/{names}"
    for names in (
        "ApplicableHeaderTradeAgreement|ApplicableSupplyChainTradeAgreement",
        "ApplicableHeaderTradeDelivery|ApplicableSupplyChainTradeDelivery",
        "ApplicableHeaderTradeSettlement|ApplicableSupplyChainTradeSettlement",
    )
)
_DOCUMENT = "ExchangedDocument|HeaderExchangedDocument"
_SUMS = f"{_SETTLEMENT}/SpecifiedTradeSettlementHeaderMonetarySummation|SpecifiedTradeSettlementMonetarySummation"
_OF_LINE = "SpecifiedLineTradeSettlement|SpecifiedSupplyChainTradeSettlement"
_PRICE = "SpecifiedLineTradeAgreement|SpecifiedSupplyChainTradeAgreement/NetPriceProductTradePrice"
_SELLER, _BUYER = "AccountingSupplierParty/Party", "AccountingCustomerParty/Party"
_TOTALS = "LegalMonetaryTotal"

UNITS = {
    "KWH": "kWh", "MWH": "MWh", "MTQ": "m³", "LTR": "L", "FTQ": "ft³", "HH": "CCF", "GLL": "gal", "N71": "therm",
    "N72": "therm", "GV": "GJ",
}  # fmt: skip
"""The units of usage, by their codes of UN/ECE Recommendation 20.

Units that measure no usage, such as pieces, days and months, are left out.
"""
IN_CII: Mapping[str, str] = {
    "number": f"{_DOCUMENT}/ID",
    "code": f"{_DOCUMENT}/TypeCode",
    "issued": f"{_DOCUMENT}/IssueDateTime/DateTimeString",
    "due": f"{_SETTLEMENT}/SpecifiedTradePaymentTerms/DueDateDateTime/DateTimeString",
    "currency": f"{_SETTLEMENT}/InvoiceCurrencyCode",
    "seller": f"{_AGREEMENT}/SellerTradeParty/Name",
    "tax numbers": f"{_AGREEMENT}/SellerTradeParty/SpecifiedTaxRegistration",
    "start": f"{_SETTLEMENT}/BillingSpecifiedPeriod/StartDateTime/DateTimeString",
    "end": f"{_SETTLEMENT}/BillingSpecifiedPeriod/EndDateTime/DateTimeString",
    CONTRACT: f"{_AGREEMENT}/ContractReferencedDocument/IssuerAssignedID|ID",
    CUSTOMER: f"{_AGREEMENT}/BuyerTradeParty/ID",
    "references": f"{_AGREEMENT}/AdditionalReferencedDocument",
    "reference": "IssuerAssignedID|ID",
    "reference code": "TypeCode",
    "address": f"{_DELIVERY}/ShipToTradeParty/PostalTradeAddress",
    "streets": "LineOne",
    "post code": "PostcodeCode",
    "city": "CityName",
    "lines": "SupplyChainTradeTransaction|SpecifiedSupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem",
    "line number": "AssociatedDocumentLineDocument/LineID",
    "line status": "AssociatedDocumentLineDocument/LineStatusReasonCode",
    "line net": f"{_OF_LINE}/SpecifiedTradeSettlementLineMonetarySummation|SpecifiedTradeSettlementMonetarySummation"
    "/LineTotalAmount",
    "line tax": f"{_OF_LINE}/ApplicableTradeTax",
    "used": "SpecifiedLineTradeDelivery|SpecifiedSupplyChainTradeDelivery/BilledQuantity",
    "price": f"{_PRICE}/ChargeAmount",
    "price of": f"{_PRICE}/BasisQuantity",
    "line start": f"{_OF_LINE}/BillingSpecifiedPeriod/StartDateTime/DateTimeString",
    "line end": f"{_OF_LINE}/BillingSpecifiedPeriod/EndDateTime/DateTimeString",
    "item": "SpecifiedTradeProduct/Name",
    "item id": "SpecifiedTradeProduct/SellerAssignedID",
    "category": "CategoryCode",
    "rate": "RateApplicablePercent|ApplicablePercent",
    "charges": f"{_SETTLEMENT}/SpecifiedTradeAllowanceCharge|SpecifiedLogisticsServiceCharge",
    "charge": "ActualAmount|AppliedAmount",
    "charge reason": "Reason|Description",
    "charge tax": "CategoryTradeTax|AppliedTradeTax",
    "is charge": "ChargeIndicator/Indicator",
    "taxes": f"{_SETTLEMENT}/ApplicableTradeTax",
    "tax of": ".",
    "tax net": "BasisAmount",
    "tax amount": "CalculatedAmount",
    "line sum": f"{_SUMS}/LineTotalAmount",
    "allowance sum": f"{_SUMS}/AllowanceTotalAmount",
    "charge sum": f"{_SUMS}/ChargeTotalAmount",
    "net sum": f"{_SUMS}/TaxBasisTotalAmount",
    "tax sum": f"{_SUMS}/TaxTotalAmount",
    "gross sum": f"{_SUMS}/GrandTotalAmount",
    "prepaid": f"{_SUMS}/TotalPrepaidAmount",
    "rounding": f"{_SUMS}/RoundingAmount",
    "payable": f"{_SUMS}/DuePayableAmount",
    "profile": "ExchangedDocumentContext|SpecifiedExchangedDocumentContext/"
    "GuidelineSpecifiedDocumentContextParameter/ID",
    "advances": "-",
    "advance": "-",
    "advance reason": "-",
}
IN_UBL: Mapping[str, str] = {
    "number": "ID",
    "code": "InvoiceTypeCode|CreditNoteTypeCode",
    "issued": "IssueDate",
    "due": "DueDate PaymentMeans/PaymentDueDate",
    "currency": "DocumentCurrencyCode",
    "seller": f"{_SELLER}/PartyLegalEntity/RegistrationName {_SELLER}/PartyName/Name",
    "tax numbers": f"{_SELLER}/PartyTaxScheme",
    "start": "InvoicePeriod/StartDate",
    "end": "InvoicePeriod/EndDate",
    CONTRACT: "ContractDocumentReference/ID",
    CUSTOMER: f"{_BUYER}/PartyIdentification/ID",
    "references": "AdditionalDocumentReference",
    "reference": "ID",
    "reference code": "DocumentTypeCode",
    "address": "Delivery/DeliveryLocation/Address",
    "streets": "StreetName",
    "post code": "PostalZone",
    "city": "CityName",
    "lines": "InvoiceLine|CreditNoteLine",
    "line number": "ID",
    "line status": "-",
    "line net": "LineExtensionAmount",
    "line tax": "Item/ClassifiedTaxCategory",
    "used": "InvoicedQuantity|CreditedQuantity",
    "price": "Price/PriceAmount",
    "price of": "Price/BaseQuantity",
    "line start": "InvoicePeriod/StartDate",
    "line end": "InvoicePeriod/EndDate",
    "item": "Item/Name",
    "item id": "Item/SellersItemIdentification/ID",
    "category": "ID",
    "rate": "Percent",
    "charges": "AllowanceCharge",
    "charge": "Amount",
    "charge reason": "AllowanceChargeReason",
    "charge tax": "TaxCategory",
    "is charge": "ChargeIndicator",
    "taxes": "TaxTotal/TaxSubtotal",
    "tax of": "TaxCategory",
    "tax net": "TaxableAmount",
    "tax amount": "TaxAmount",
    "line sum": f"{_TOTALS}/LineExtensionAmount",
    "allowance sum": f"{_TOTALS}/AllowanceTotalAmount",
    "charge sum": f"{_TOTALS}/ChargeTotalAmount",
    "net sum": f"{_TOTALS}/TaxExclusiveAmount",
    "tax sum": "TaxTotal/TaxAmount",
    "gross sum": f"{_TOTALS}/TaxInclusiveAmount",
    "prepaid": f"{_TOTALS}/PrepaidAmount",
    "rounding": f"{_TOTALS}/PayableRoundingAmount",
    "payable": f"{_TOTALS}/PayableAmount",
    "profile": "CustomizationID",
    "advances": "PrepaidPayment",
    "advance": "PaidAmount",
    "advance reason": "InstructionID",
}
