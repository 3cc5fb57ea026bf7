"""The API returns the same exports as the dashboard.

They are lists as spreadsheets, and many invoices as one PDF.
"""

import csv
import io

import httpx
import pytest

from prorata.actions.exports import list_exports
from prorata.actions.invoices.lists import Wish
from prorata.adapters.files.spreadsheet_files import csv_file
from tests.web.addresses import assert_refused
from tests.web.conftest import House
from tests.web.forms import assert_invalid
from tests.web.furnished import Furnished, furnish


@pytest.fixture
def made(house: House) -> Furnished:
    return furnish(house)


def rows_of(answer: httpx.Response) -> list[dict[str, str]]:
    assert answer.headers["content-type"] == "application/octet-stream"
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))


def test_invoices_and_their_charges_are_the_dashboard_s_files(made: Furnished) -> None:
    answer = made.api.get("/exports/invoices?month=2026-03")
    assert answer.headers["content-disposition"] == "attachment; filename*=UTF-8''invoices.csv"
    assert [row["invoiceNumber"] for row in rows_of(answer)] == [
        one["invoiceNumber"] for one in made.invoices(month="2026-03")
    ]
    wish = Wish({"month": "2026-03"})
    sheet = made.house.database.read(
        lambda tx: b"".join(csv_file(*list_exports.of_invoices(tx, made.landlord.caller, wish)))
    )
    assert answer.content == sheet
    charges = rows_of(made.api.get(f"/exports/invoices?rows=CHARGES&unitId={made.units['1']}"))
    assert [row["amount"] for row in charges] == ["30.00"] * 3


def test_a_workbook_is_one(made: Furnished) -> None:
    answer = made.api.get("/exports/bills?format=xlsx")
    assert answer.content.startswith(b"PK")
    assert "bills.xlsx" in answer.headers["content-disposition"]


def test_bills_are_narrowed_as_they_are_listed(made: Furnished) -> None:
    furnish(made.house, name="Elm House")
    rows = rows_of(made.api.get(f"/exports/bills?propertyId={made.property_id}"))
    assert [row["billDate"] for row in rows] == ["2026-03-14", "2026-02-14", "2026-01-14"]
    assert len(rows_of(made.api.get("/exports/bills?month=2026-03"))) == 2
    assert rows_of(made.api.get("/exports/bills?status=PAID")) == []


def test_what_is_to_be_handed_over_is_exported_and_printed(made: Furnished) -> None:
    made.api.post(f"/units/{made.units['2']}/tenants", {"name": "Bo Chen"})
    made.set_status("SENT", "2")
    (row,) = rows_of(made.api.get("/exports/invoices?needs=HAND_OVER"))
    assert row["tenantName"] == "Bo Chen"
    printed = made.api.get("/exports/invoices/pdf?needs=HAND_OVER")
    assert printed.content == made.api.get(f"/invoices/{made.invoice('2')['id']}/pdf").content


def test_many_invoices_are_one_pdf(made: Furnished) -> None:
    answer = made.api.get("/exports/invoices/pdf?month=2026-03")
    assert (answer.headers["content-type"], answer.content[:4]) == ("application/pdf", b"%PDF")
    assert answer.headers["content-disposition"] == 'inline; filename="MAPLECOURT-1-2026-03_MAPLECOURT-10-2026-03.pdf"'
    chosen = ",".join(one["id"] for one in made.invoices(month="2026-02")[:2])
    assert 'filename="MAPLECOURT-1-2026-02_MAPLECOURT-2-2026-02.pdf"' in made.api.get(
        f"/exports/invoices/pdf?ids={chosen}"
    ).headers["content-disposition"]  # fmt: skip
    assert_refused(made.api.get("/exports/invoices/pdf?ids=x"), 409, "CONFLICT")
    assert_refused(made.api.get("/exports/invoices/pdf?month=2031-01"), 409, "CONFLICT")


def test_a_statement_is_exported(made: Furnished) -> None:
    made.set_status("SENT")
    rows = rows_of(made.api.get(f"/tenants/{made.tenant_id}/statement/export?from=2026-01-01"))
    assert [row["kind"] for row in rows][::2] == ["OPENING", "CLOSING"]
    assert rows[-1]["balance"] == "30.00"
    made.api.post(f"/invoices/{made.invoice('1')['id']}/payments", {"amount": "12.00", "method": "CASH"})
    rows = rows_of(made.api.get(f"/tenants/{made.tenant_id}/statement/export"))
    assert [row["open"] for row in rows] == ["", "18.00", "", ""]
    assert_invalid(made.api.get(f"/tenants/{made.tenant_id}/statement/export?format=pdf"), "format")
    assert_refused(made.api.get("/tenants/tenant_x/statement/export"), 404, "TENANT_NOT_FOUND")


def test_a_stranger_gets_nothing_of_mine(made: Furnished) -> None:
    theirs = made.house.api_of_stranger
    assert rows_of(theirs.get("/exports/invoices")) == []
    refused = theirs.get(f"/exports/invoices/pdf?ids={made.invoice()['id']}")
    assert_refused(refused, 409, "CONFLICT")
