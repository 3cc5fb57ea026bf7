"""Tests of the page about a tenant in the dashboard.

It shows who the tenant is, the balance, and a statement for some days whose amounts add up. The statement can be
downloaded as a file.
"""

import csv
import io
import re
from datetime import date
from decimal import Decimal
from zipfile import ZipFile

import pytest

from prorata.actions.bills import bills
from prorata.actions.payments import payments
from prorata.actions.payments.payments import Received
from prorata.actions.properties import tenants
from prorata.domain.bills.bills import NewBill
from prorata.store.invoices.invoices import InvoiceSummary
from tests.dashboard.billed import billed, listed, set_status
from tests.dashboard.conftest import Office
from tests.dashboard.sent_files import send


def pay(office: Office, invoice_id: str, cents: int, day: str = "2026-04-02") -> str:
    received = Received(cents, date.fromisoformat(day))
    return office.database.write(lambda tx: payments.receive(tx, office.caller, invoice_id, received))


def sent(office: Office, *labels: str, **more: object) -> InvoiceSummary:
    one = billed(office, *(labels or ("1", "2")), **more)[0]  # type: ignore[arg-type]
    set_status(office, one.id, "SENT")
    return next(row for row in listed(office) if row.id == one.id)


def cells(page: str) -> list[list[str]]:
    """The rows of the table, as the texts of their cells."""
    rows = re.findall(r"<tr.*?</tr>", page.partition("<table")[2].partition("</table>")[0], re.DOTALL)
    return [
        [re.sub(r"<[^>]*>", " ", cell).strip() for cell in re.findall(r"<t[dh].*?</t[dh]>", row, re.DOTALL)]
        for row in rows
    ]


def figure(cell: str) -> Decimal:
    return Decimal(re.sub(r"[^\d.-]", "", cell.replace("−", "-")) or 0)


def assert_sums(page: str) -> None:
    """Check that every row's balance follows from the balance before it.

    The first is the opening balance, the last the closing balance.
    """
    _, opening, *rows, closing = cells(page)
    balance = figure(opening[4])
    for row in rows:
        balance += figure(row[2]) - figure(row[3])
        assert figure(row[4]) == balance, row
    assert figure(closing[4]) == balance


def test_it_says_who_it_is_what_is_owed_and_how_it_came_to_that(office: Office) -> None:
    one = sent(office)
    pay(office, one.id, 20_00)
    page = office.browser("viewer").get(f"/tenants/{one.tenant_id}").text
    for said in ("<h1>Tenant 1</h1>", "Owes $25.00", f'href="/units/{one.unit_id}"', "t1@example.org", "No start date"):
        assert said in page, said
    assert_sums(page)
    _, opening, asked, came, closing = cells(page)
    assert (opening[1], opening[4]) == ("Balance before Apr 1, 2025", "$0.00")
    assert asked[1].startswith(f"Invoice {one.number}")
    assert (asked[2:], came[2:]) == (["$45.00", "", "$45.00"], ["", "$20.00", "$25.00"])
    assert re.sub(r"\s+", " ", came[1]).startswith(f"Payment for {one.number}")
    assert closing[1:] == ["Balance now", "", "", "$25.00"]
    assert page.count(f'href="/invoices/{one.id}"') == 2


def test_who_shares_an_invoice_sees_it_and_may_pay_it(office: Office) -> None:
    one = sent(office)
    zoe = office.database.write(lambda tx: tenants.create(tx, office.caller, one.unit_id, {"name": "Zoe S. Novak"}))
    later = {"name": "Eve Later", "move_in": "2030-01-01"}
    eve = office.database.write(lambda tx: tenants.create(tx, office.caller, one.unit_id, later))
    browser = office.browser("manager")
    page = browser.get(f"/tenants/{zoe.id}").text
    assert (
        "These invoices are addressed to Tenant 1 and count for everyone in the household, including Zoe S. Novak."
        in page
    )
    assert f'<a href="/invoices/{one.id}">{one.number}</a>' in page
    for nobody in (eve.id, one.tenant_id):
        assert "Invoices for the household" not in browser.get(f"/tenants/{nobody}").text
    statement = "Date,Amount,Name,Text\n2026-04-02,45.00,Zoe Novak,maple court 1\n"
    came = send(browser, statement, "/payments/files")
    read = browser.get(came.headers["location"]).text
    assert "It names Zoe S. Novak, of the same household as Tenant 1 in Maple Court, 1." in read
    assert one.number in read


def test_it_is_shown_from_some_days_with_what_was_owed_before(office: Office) -> None:
    one = sent(office)
    pay(office, one.id, 20_00, "2026-02-10")
    browser, path = office.browser("viewer"), f"/tenants/{one.tenant_id}"
    later = browser.get(f"{path}?chosen=true&from=2026-02-11&to=").text
    assert_sums(later)
    assert [row[4] for row in cells(later)[1:]] == ["-$20.00", "$25.00", "$25.00"]
    assert 'value="2026-02-11"' in later
    before = browser.get(f"{path}?to=2026-02-10").text
    assert_sums(before)
    assert cells(before)[-1][1:] == ["Balance on Feb 10, 2026", "", "", "-$20.00"]
    assert "Owes $25.00" in before
    assert cells(browser.get(f"{path}?chosen=true").text)[1][1] == "Opening balance"
    neither = browser.get(f"{path}?from=2026-04-03").text
    assert "Nothing was charged or paid in this period." in neither
    assert [row[4] for row in cells(neither)[1:]] == ["$25.00", "$25.00"]


@pytest.mark.parametrize(
    ("query", "field", "says"),
    [
        ("from=2026-02-30", "from", "Enter a date as YYYY-MM-DD"),
        ("to=1.3.2026", "to", "Enter a date as YYYY-MM-DD"),
        ("to=0001-01-01", "to", "Enter a date as YYYY-MM-DD"),
        ("from=2026-03-02&amp;to=2026-03-01", "to", "The last day must not be before the first day."),
    ],
)
def test_days_that_are_none_are_told_at_their_field_and_nothing_is_shown_of_others(
    quick_office: Office, query: str, field: str, says: str
) -> None:
    one = sent(quick_office)
    browser, path = quick_office.browser("viewer"), f"/tenants/{one.tenant_id}"
    query = query.replace("&amp;", "&")
    answer = browser.get(f"{path}?{query}")
    assert answer.status_code == 400
    wrong = re.search(r'<p class="wrong" id="wrong-(\w+)">(.*?)</p>', answer.text)
    assert wrong is not None
    assert wrong[1] == field
    assert says in wrong[2]
    assert f'name="{field}" value="{query.rpartition("=")[2]}" aria-invalid="true"' in answer.text
    assert "<table" not in answer.text
    assert browser.get(f"{path}/export?{query}").status_code == 400


def test_what_is_too_much_is_a_credit_and_to_be_given_back_once_nobody_lives_there(office: Office) -> None:
    one = sent(office)
    assert one.tenant_id is not None
    pay(office, one.id, 50_00)
    browser = office.browser("viewer")
    assert "Has a credit of $5.00" in browser.get(f"/tenants/{one.tenant_id}").text
    office.database.write(lambda tx: tenants.change(tx, office.caller, one.tenant_id or "", {"move_out": "2026-02-28"}))
    assert "Gets $5.00 back" in browser.get(f"/tenants/{one.tenant_id}").text


def test_of_somebody_without_invoices_it_says_so(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    page = quick_office.browser("viewer").get(f"/tenants/{one.tenant_id}").text
    assert "Nothing open" in page
    assert "Nothing was charged or paid" in page
    assert "<table" not in page


def test_who_may_write_can_edit_move_out_and_invoice_from_there(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    path = f"/tenants/{one.tenant_id}"
    seen = quick_office.browser("viewer").get(path).text
    page = quick_office.browser("manager").get(path).text
    for way in ("edit", "leave"):
        assert f'href="{path}/{way}"' in page
        assert f'href="{path}/{way}"' not in seen
    assert f"{path}/final-invoice" not in page
    quick_office.database.write(
        lambda tx: tenants.change(tx, quick_office.caller, one.tenant_id or "", {"move_out": "2026-04-30"})
    )
    assert f'href="{path}/final-invoice"' in quick_office.browser("manager").get(path).text


def test_a_carried_credit_is_one_line_without_amounts_and_so_is_what_takes_it_back(office: Office) -> None:
    first = sent(office, "1")
    paid = pay(office, first.id, 95_00)
    bill = NewBill(first.property_id, "Aqua Water Co.", ("WATER",), 60_00, date(2026, 3, 20))
    office.database.write(lambda tx: bills.add(tx, office.caller, [bill]))
    march = next(row for row in listed(office) if row.month == "2026-03")
    set_status(office, march.id, "SENT")
    browser, path = office.browser("viewer"), f"/tenants/{first.tenant_id}?chosen=true"
    carried = [
        f"$5.00 of the credit on invoice {first.number} {said} for invoice {march.number}"
        for said in ("was used", "is no longer used")
    ]

    def carries() -> list[list[str]]:
        page = browser.get(path).text
        assert_sums(page)
        return [[re.sub(r"\s+", " ", row[1]), *row[2:]] for row in cells(page) if "credit" in row[1]]

    assert [(row[0].startswith(carried[0]), row[1:]) for row in carries()] == [(True, ["", "", "$55.00"])]
    assert f'href="/invoices/{first.id}">{first.number}</a> was used' in browser.get(path).text
    office.database.write(lambda tx: payments.take_back(tx, office.caller, first.id, paid))
    assert [row[0].partition(" Apr")[0] for row in carries()] == carried
    file = browser.get(f"/tenants/{first.tenant_id}/export?chosen=true").content.decode("utf-8-sig")
    pack = browser.get(f"/tenants/{first.tenant_id}/evidence?chosen=true").content
    index = ZipFile(io.BytesIO(pack)).read("index.html").decode()
    assert [row[1:4] for row in cells(index.partition("<h2>Statement")[2]) if "credit" in row[1]] == [
        [said, "", ""] for said in carried
    ]
    assert [file.count(said) for said in carried] == [2, 2], "a file has a row for each invoice"


@pytest.mark.parametrize("format_", ["csv", "xlsx"])
def test_the_same_rows_are_handed_out_as_a_file(office: Office, format_: str) -> None:
    one = sent(office, name="=1+1")
    pay(office, one.id, 20_00)
    answer = office.browser("viewer").get(f"/tenants/{one.tenant_id}/export?chosen=true&format={format_}")
    assert answer.status_code == 200
    assert f"statement.{format_}" in answer.headers["content-disposition"]
    if format_ == "xlsx":
        sheet = ZipFile(io.BytesIO(answer.content)).read("xl/worksheets/sheet1.xml").decode()
        assert "<f>" not in sheet
        assert re.search(r"<v>-?25(\.0+)?</v>", sheet), "amounts are numbers"
        return
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert [(row["Kind"], row["Charged"], row["Paid"], row["Balance"]) for row in rows] == [
        ("Opening balance", "", "", "0.00"), (f"Invoice {one.number}", "45.00", "", "45.00"),
        ("Payment", "", "20.00", "25.00"),
        ("Balance now", "", "", "25.00"),
    ]  # fmt: skip
    assert {row["Property"] for row in rows} == {"'=1+1"}
    assert (rows[1]["Date"], rows[1]["Invoice number"]) == (one.invoice_date, one.number)


def test_of_a_strangers_tenant_and_of_who_was_removed_there_is_none(quick_office: Office) -> None:
    theirs = billed(quick_office, "1", account=quick_office.stranger_id)[0].tenant_id
    browser = quick_office.browser("owner")
    for path in (f"/tenants/{theirs}", f"/tenants/{theirs}/export", "/tenants/nobody"):
        assert browser.get(path).status_code == 404
    one = sent(quick_office, name="Elm House")
    assert f'href="/tenants/{one.tenant_id}"' in browser.get(f"/invoices/{one.id}").text
    quick_office.database.write(lambda tx: tenants.remove(tx, quick_office.caller, one.tenant_id or ""))
    assert browser.get(f"/tenants/{one.tenant_id}").status_code == 404
    page = browser.get(f"/invoices/{one.id}").text
    assert "Tenant 1" in page
    assert f"/tenants/{one.tenant_id}" not in page


def test_a_name_leads_there_from_the_list_and_from_the_unit(quick_office: Office) -> None:
    (one,) = billed(quick_office, "1")
    browser = quick_office.browser("viewer")
    for path in ("/tenants", f"/units/{one.unit_id}"):
        assert f'href="/tenants/{one.tenant_id}">Tenant 1</a>' in browser.get(path).text
    quick_office.database.write(
        lambda tx: tenants.change(tx, quick_office.caller, one.tenant_id or "", {"move_out": "2026-01-31"})
    )
    assert f'href="/tenants/{one.tenant_id}">Tenant 1</a>' in browser.get(f"/units/{one.unit_id}").text


def test_the_list_of_tenants_says_what_each_owes(office: Office) -> None:
    one = sent(office)
    pay(office, one.id, 20_00)
    page = office.browser("viewer").get("/tenants").text
    assert f'<a class="link" href="/tenants/{one.tenant_id}">$25.00</a>' in page
    assert page.count('<span class="quiet">–</span>') == 1, "the other one has only a draft"
