"""The page for uploading bill files to the inbox, and a sample table of bills."""

from datetime import date
from decimal import Decimal

from prorata.domain.files.spreadsheet_cells import Figures
from prorata.domain.texts import say
from prorata.web.dashboard.kernel.list_headers import BILL_HEADINGS, sample
from prorata.web.dashboard.kernel.pages import Ask, Download, Shown, page

_OF_SAMPLE = (
    "property", "issuerName", "utilityType", "totalAmountDue", "amounts", "billDate", "dueDate", "billingMonth",
    "accountNumber", "billNumber",
)  # fmt: skip
_SAMPLE = (
    ("Maple Court", "Aqua Water Co.", "WATER", Decimal("320.10"), None, date(2026, 3, 14), date(2026, 4, 4), None,
     "A-100", "88121"),
    ("Maple Court", "City of Springfield", "WATER;SEWER", Decimal("180.10"), Figures("WATER=100.00;SEWER=80.10"),
     date(2026, 3, 20), None, "2026-03", None, None),
)  # fmt: skip


@page("GET", "/import/bills", may="write")
def bills_file_page(_ask: Ask[None, None]) -> Shown:
    """Show the page on which a person chooses files to upload to the inbox."""
    return Shown("bill_import.html", {"headings": BILL_HEADINGS})


@page("GET", "/import/bills/sample", may="read")
def sample_of_a_bills_file(ask: Ask[None, None]) -> Download:
    """Download a sample table of bills, with a header in the person's language."""
    return sample(ask, say("bills"), map(BILL_HEADINGS.__getitem__, _OF_SAMPLE), _SAMPLE)
