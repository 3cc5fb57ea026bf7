"""The page to upload bill files from the bills list, with a sample table."""

from prorata.domain.texts import say
from prorata.web.dashboard.kernel.pages import Ask, Download, Shown, page

HEADINGS = {
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
    "usageAndPrice": say("Usage and price"),
    "notes": say("Notes"),
}
"""A name for each column of a bills file, which is read as that column in each language of the pages."""
_SAMPLE = (
    "Property,Issuer,Utility,Total,Amounts by utility,Bill date,Due date,Billing month,Account number,Bill number\r\n"
    "Maple Court,Aqua Water Co.,WATER,320.10,,2026-03-14,2026-04-04,,A-100,88121\r\n"
    "Maple Court,City of Springfield,WATER;SEWER,180.10,WATER=100.00;SEWER=80.10,2026-03-20,,2026-03,,\r\n"
)


@page("GET", "/import/bills", may="write")
def bills_file_page(_ask: Ask[None, None]) -> Shown:
    """Show the page where files are chosen; they go to the inbox."""
    return Shown("bill_import.html", {"headings": HEADINGS})


@page("GET", "/import/bills/sample", may="read")
def sample_of_a_bills_file(_ask: Ask[None, None]) -> Download:
    """Download a sample file to start from."""
    return Download("bills.csv", "text/csv; charset=utf-8", _SAMPLE.encode())
