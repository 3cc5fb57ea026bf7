"""The page for uploading bill files to the inbox, and a sample table of bills."""

from prorata.web.dashboard.kernel.list_headers import BILL_HEADINGS
from prorata.web.dashboard.kernel.pages import Ask, Download, Shown, page
from prorata.web.dashboard.kernel.translations import in_words

_OF_SAMPLE = (
    "property", "issuerName", "utilityType", "totalAmountDue", "amounts", "billDate", "dueDate", "billingMonth",
    "accountNumber", "billNumber",
)  # fmt: skip
_SAMPLE = (
    "Maple Court,Aqua Water Co.,WATER,320.10,,2026-03-14,2026-04-04,,A-100,88121\r\n"
    "Maple Court,City of Springfield,WATER;SEWER,180.10,WATER=100.00;SEWER=80.10,2026-03-20,,2026-03,,\r\n"
)


@page("GET", "/import/bills", may="write")
def bills_file_page(_ask: Ask[None, None]) -> Shown:
    """Show the page on which a person chooses files to upload to the inbox."""
    return Shown("bill_import.html", {"headings": BILL_HEADINGS})


@page("GET", "/import/bills/sample", may="read")
def sample_of_a_bills_file(ask: Ask[None, None]) -> Download:
    """Download a sample table of bills, with a header in the person's language."""
    header = ",".join(in_words(map(BILL_HEADINGS.__getitem__, _OF_SAMPLE), ask.person.locale))
    return Download("bills.csv", "text/csv; charset=utf-8", f"{header}\r\n{_SAMPLE}".encode())
