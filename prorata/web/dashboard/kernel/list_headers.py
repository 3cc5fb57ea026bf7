"""Spreadsheets for download, in the form that people in the person's country expect.

Their columns have names in the person's language, which imports recognize, and CSV has the country's decimal mark.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from prorata.actions.exports.list_exports import BILL_COLUMNS, Spreadsheet
from prorata.domain.files.spreadsheet_cells import Value
from prorata.domain.texts import say
from prorata.domain.utility_names import CHARGE_NAMES
from prorata.store.database.engine import Tx
from prorata.web.dashboard.kernel.pages import Ask, Download, Streamed
from prorata.web.dashboard.kernel.translations import in_word, in_words

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
    "names": say("Names for tenants"),
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
    "open": say("Still to pay"),
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
    "paymentStatus": {
        "pending": say("Not paid"),
        "paid": say("Paid"),
        "failed": say("Payment failed"),
        "cancelled": say("Cancelled"),
    },
    "emailStatus": {"sent": say("E-mailed"), "delivered": say("Arrived"), "bounced": say("Came back")},
    "kind": {"OPENING": say("Opening balance"), "CLOSING": say("Balance now")},
}
"""The words for codes, by column."""
MEDIA = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
"""The media types of spreadsheets, by file extension."""


def spreadsheet(ask: Ask[Any, Any], name: str, extension: str, read: Callable[[Tx], Spreadsheet]) -> Streamed:
    """Download a spreadsheet, in the person's language, as is the file's `name`."""
    write, locale, has_comma = ask.outside.spreadsheets[extension], ask.person.locale, ask.write.has_decimal_comma
    return Streamed(
        f"{in_word(name, locale)}.{extension}",
        MEDIA[extension],
        lambda tx: write(*worded(read(tx), locale), has_decimal_comma=has_comma),
    )


def sample(ask: Ask[Any, Any], name: str, header: Iterable[str], rows: Sequence[Sequence[Value]]) -> Download:
    """Download a sample of an import file, as CSV in the person's language."""
    write, headings = ask.outside.spreadsheets["csv"], in_words(header, ask.person.locale)
    content = b"".join(write(headings, rows, has_decimal_comma=ask.write.has_decimal_comma))
    return Download(f"{in_word(name, ask.person.locale)}.csv", MEDIA["csv"], content)


def worded(sheet: Spreadsheet, locale: str) -> Spreadsheet:
    """Return a spreadsheet whose column names are words in the person's language.

    Utilities, statuses and kinds are in words as well. A list of bills keeps its codes, because imports read
    them. A charge without a utility type is named like one of the type OTHER.

    >>> worded(Spreadsheet(("invoiceNumber", "tenantEmail"), iter(())), "en-US").header
    ('Invoice number', 'E-mail')
    >>> from prorata.actions.exports.list_exports import CHARGE_COLUMNS
    >>> rows = [(*("A-1-2026-03",) * 4, "DRAFT", "Ann", kind) for kind in ("TRASH", None)]
    >>> [row[-3:] for row in worded(Spreadsheet(CHARGE_COLUMNS, iter(rows)), "de-DE").rows]
    [('Entwurf', 'Ann', 'Müllabfuhr'), ('Entwurf', 'Ann', 'Sonstiges')]
    """
    rows = sheet.rows
    for field, values in _VALUES.items():
        if sheet.header != BILL_COLUMNS and field in sheet.header:
            names: dict[Value, str] = dict(zip(values, in_words(values.values(), locale), strict=True))
            rows = _named(rows, sheet.header.index(field), names)
    return Spreadsheet(in_words(map(NAMES.__getitem__, sheet.header), locale), rows)


def _named(rows: Iterator[tuple[Value, ...]], at: int, names: Mapping[Value, str]) -> Iterator[tuple[Value, ...]]:
    return ((*row[:at], names.get(row[at], row[at]), *row[at + 1 :]) for row in rows)
