"""Where files of bills are brought from the list of bills: what a table holds, a sample, and the way to the inbox."""

from prorata.web.dashboard.kernel.pages import Ask, Download, Shown, page

_SAMPLE = (
    "property,issuerName,utilityType,totalAmountDue,amounts,billDate,dueDate,billingMonth,accountNumber,billNumber\r\n"
    "Maple Court,Aqua Water Co.,WATER,320.10,,2026-03-14,2026-04-04,,A-100,88121\r\n"
    "Maple Court,City of Springfield,WATER;SEWER,180.10,WATER=100.00;SEWER=80.10,2026-03-20,,2026-03,,\r\n"
)


@page("GET", "/import/bills", may="write")
def bills_file_page(_ask: Ask[None, None]) -> Shown:
    """Where files are chosen; they go to the inbox."""
    return Shown("bill_import.html")


@page("GET", "/import/bills/sample", may="read")
def sample_of_a_bills_file(_ask: Ask[None, None]) -> Download:
    """A file to begin with."""
    return Download("bills.csv", "text/csv; charset=utf-8", _SAMPLE.encode())
