"""Column names of downloaded spreadsheets in the person's language, which imports recognize."""

from collections.abc import Iterator

from prorata.actions.exports.list_exports import CHARGE_COLUMNS, Spreadsheet
from prorata.domain.files.spreadsheet_cells import Value
from prorata.domain.texts import say
from prorata.domain.utility_names import CHARGE_NAMES
from prorata.web.dashboard.kernel.translations import in_words

BILL_HEADINGS = {
    "property": say("Property"),
    "issuerName": say("Issuer"),
    "utilityType": say("Utility"),
    "totalAmountDue": say("Total"),
    "billDate": say("Bill date"),
    "amounts": say("Amounts by utility"),
    "currency": say("Currency"),
    "dueDate": say("Due date"),
    "billingMonth": say("Billing month"),
    "servicePeriodStart": say("Service from"),
    "servicePeriodEnd": say("Service to"),
    "accountNumber": say("Account number"),
    "billNumber": say("Bill number"),
    "paymentStatus": say("Payment status"),
    "spread": say("Spread over its months"),
    "usageAndPrice": say("Usage and price"),
    "notes": say("Notes"),
}
"""The heading of each column of a bills file, by the API's name.

An import recognizes the headings in every language of the dashboard.
"""
NAMES = {
    **BILL_HEADINGS,
    "tenantName": say("Tenant"),
    "tenantEmail": say("E-mail"),
    "invoiceNumber": say("Invoice number"),
    "otherInvoiceNumber": say("Other invoice"),
    "unit": say("Unit"),
    "month": say("Month"),
    "status": say("Status"),
    "totalAmount": say("Total"),
    "paidAmount": say("Paid"),
    "balance": say("Balance"),
    "invoiceDate": say("Invoice date"),
    "paidOn": say("Paid on"),
    "emailStatus": say("E-mail status"),
    "emailSentOn": say("E-mail sent on"),
    "amount": say("Amount"),
    "description": say("Description"),
    "date": say("Date"),
    "kind": say("Kind"),
    "charged": say("Charged"),
    "paid": say("Paid"),
}
"""The headings of columns in downloaded spreadsheets, by the API's name."""


def worded(sheet: Spreadsheet, locale: str) -> Spreadsheet:
    """Return a spreadsheet whose column names are words in the person's language.

    In a list of charges, the names of utility types are translated as well.

    >>> worded(Spreadsheet(("invoiceNumber", "tenantEmail"), iter(())), "en-US").header
    ('Invoice number', 'E-mail')
    >>> next(worded(Spreadsheet(CHARGE_COLUMNS, iter([("A-1-2026-03",) * 6 + ("TRASH", "USD")])), "de-DE").rows)[-2:]
    ('Müllabfuhr', 'USD')
    """
    rows = _with_utilities(sheet, locale) if sheet.header == CHARGE_COLUMNS else sheet.rows
    return Spreadsheet(in_words(map(NAMES.__getitem__, sheet.header), locale), rows)


def _with_utilities(sheet: Spreadsheet, locale: str) -> Iterator[tuple[Value, ...]]:
    names: dict[Value, str] = dict(zip(CHARGE_NAMES, in_words(CHARGE_NAMES.values(), locale), strict=True))
    at = sheet.header.index("utilityType")
    return ((*row[:at], names.get(row[at], row[at]), *row[at + 1 :]) for row in sheet.rows)
