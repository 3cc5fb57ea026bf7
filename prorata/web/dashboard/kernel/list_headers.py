"""Column names of downloaded spreadsheets in the person's language; imports recognize these names."""

from collections.abc import Iterator, Mapping

from prorata.actions.exports.list_exports import CHARGE_COLUMNS, INVOICE_COLUMNS, Spreadsheet
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
_VALUES: Mapping[str, Mapping[str | None, str]] = {
    "status": {
        "DRAFT": say("Draft"),
        "SENT": say("Sent"),
        "PAID": say("Paid"),
        "OVERDUE": say("Overdue"),
        "CANCELLED": say("Cancelled"),
    },
    "utilityType": dict([*CHARGE_NAMES.items(), (None, CHARGE_NAMES["OTHER"])]),
}
"""The words for codes, by column."""


def worded(sheet: Spreadsheet, locale: str) -> Spreadsheet:
    """Return a spreadsheet whose column names are words in the person's language.

    In lists of invoices and charges, the utilities and statuses are in words as well. A list of bills keeps its codes,
    because imports read them. A charge without a utility type is named like one of the type OTHER.

    >>> worded(Spreadsheet(("invoiceNumber", "tenantEmail"), iter(())), "en-US").header
    ('Invoice number', 'E-mail')
    >>> rows = [(*("A-1-2026-03",) * 4, "DRAFT", "Ann", kind) for kind in ("TRASH", None)]
    >>> [row[-3:] for row in worded(Spreadsheet(CHARGE_COLUMNS, iter(rows)), "de-DE").rows]
    [('Entwurf', 'Ann', 'Müllabfuhr'), ('Entwurf', 'Ann', 'Sonstiges')]
    """
    rows = sheet.rows
    for field, values in _VALUES.items():
        if sheet.header in (INVOICE_COLUMNS, CHARGE_COLUMNS) and field in sheet.header:
            names: dict[Value, str] = dict(zip(values, in_words(values.values(), locale), strict=True))
            rows = _named(rows, sheet.header.index(field), names)
    return Spreadsheet(in_words(map(NAMES.__getitem__, sheet.header), locale), rows)


def _named(rows: Iterator[tuple[Value, ...]], at: int, names: Mapping[Value, str]) -> Iterator[tuple[Value, ...]]:
    return ((*row[:at], names.get(row[at], row[at]), *row[at + 1 :]) for row in rows)
