"""Tests of the pages of bills: lists, splits, forms and late bills."""

import re
from datetime import date
from html import unescape
from typing import Any

import pytest

from prorata.actions.bills import bills
from prorata.actions.invoices import invoices
from prorata.actions.properties import units
from prorata.adapters.files.table_files import in_parts
from prorata.domain.bills.bills import NewBill
from prorata.domain.exports.table_kinds import gathered
from prorata.store.bills.bills import BillRow
from prorata.store.properties.properties import PropertyRow
from tests.dashboard.conftest import Office
from tests.dashboard.properties.test_units import add_tenant, add_unit, said

NEW = "/properties/{}/bills/new"
FILLED = {
    "issuerName": "Aqua Water Co.", "totalAmountDue": "90.01", "billDate": "2026-03-02", "paymentStatus": "UNPAID",
    "hasWater": "true", "propertyId": "",
}  # fmt: skip


def shown_flags(text: str) -> str:
    """The mark of the flags that a form shows."""
    return re.findall(r'name="flagsShown" value="(\w+)"', text)[0]


def shown_marks(text: str) -> list[str]:
    """The marks of a bill's flags; the last of several is for all."""
    return re.findall(r'name="shown" value="(\w+)"', text)


def home(office: Office, *labels: str, name: str = "Maple Court") -> PropertyRow:
    """A property with units."""
    row = office.add_property(name=name)
    for label in labels or ("1", "2"):
        office.database.write(lambda tx, label=label: units.create(tx, office.caller, row.id, {"label": label}))
    return row


def lived_in(office: Office, *labels: str, name: str = "Maple Court") -> PropertyRow:
    """A property with units, and a tenant in each."""
    row = home(office, *labels, name=name)
    for unit in office.database.read(lambda tx: units.all_of(tx, office.caller, row.id)):
        add_tenant(office, unit, f"Tenant {unit.label}")
    return row


def add(office: Office, of: PropertyRow, total: int = 90_01, issuer: str = "Aqua Water Co.", **more: Any) -> BillRow:
    """Add a bill as an imported file would, and return it."""
    on = more.pop("on", date(2026, 3, 2))
    new = NewBill(of.id, issuer, more.pop("types", ("WATER",)), total, on, **more)
    return office.database.write(lambda tx: bills.add(tx, office.caller, [new], again=True)).bills[0]


def send_all(office: Office) -> None:
    """Send every invoice."""

    def send(tx: Any) -> None:
        shown, _ = invoices.page(tx, office.caller, {}, limit=100, offset=0, details=False)
        for one in shown:
            invoices.set_status(tx, office.caller, one.summary.id, "SENT")

    office.database.write(send)


def leafed(browser: Any, query: str) -> tuple[list[str], str, str]:
    """Page through a list of bills to its end.

    Return the totals of all pages, the text of the last page, and the address that led to it.
    """
    text, way, seen = browser.get(f"/bills?{query}").text, "", []
    while True:
        seen += re.findall(r'<td class="number">\$([0-9.]+)</td>', text)
        if 'rel="next"' not in text:
            return seen, text, way
        way = unescape(text.split('rel="next" href="')[1].split('"')[0])
        text = browser.get(way).text


# --- the list --------------------------------------------------------------------------------------------------------


def test_an_empty_list_says_what_to_do_first(quick_office: Office) -> None:
    browser = quick_office.browser("owner")
    assert "First add a property" in browser.get("/bills").text
    quick_office.add_property()
    assert "Add your first bill" in browser.get("/bills").text
    assert "/bills/new" not in quick_office.browser("viewer").get("/bills").text


@pytest.mark.parametrize("query", ["month=2026-02", "status=UNPAID", "search=maple", "sort=date", "sort=-issuer"])
@pytest.mark.thorough
def test_bills_that_are_asked_for_are_leafed_through_to_their_end_and_back(quick_office: Office, query: str) -> None:
    of = home(quick_office)
    new = [NewBill(of.id, "Aqua Water Co.", ("WATER",), 100_00 + one, date(2026, 2, 2)) for one in range(530)]
    quick_office.database.write(lambda tx: bills.add(tx, quick_office.caller, new))
    browser = quick_office.browser("viewer")
    seen, text, way = leafed(browser, query)
    assert sorted(seen) == [f"{one.total / 100:.2f}" for one in new]
    assert "526–530 of 530 bills" in text
    assert query in way
    back = browser.get(unescape(text.split('rel="prev" href="')[1].split('"')[0])).text
    assert re.findall(r'<td class="number">\$([0-9.]+)</td>', back) == seen[500:525]
    assert "501–525 of 530 bills" in back
    assert browser.get(f"/bills?{query}&after=nonsense").status_code == 400


@pytest.mark.parametrize(
    ("query", "issuers"),
    [
        ("", ["Volt", "City", "Aqua"]),
        ("?sort=date", ["Aqua", "City", "Volt"]),
        ("?sort=issuer", ["Aqua", "City", "Volt"]),
        ("?sort=-total", ["City", "Volt", "Aqua"]),
        ("?search=elm", ["Volt"]),
        ("?search=aqu", ["Aqua"]),
        ("?month=2026-03", ["City", "Aqua"]),
        ("?only=guessed", ["City"]),
        ("?only=waiting", []),
        ("?status=PAID", ["Volt"]),
        ("?property=prop_00000000000000000000000000", []),
    ],
)
def test_the_list_is_searched_narrowed_and_sorted(office: Office, query: str, issuers: list[str]) -> None:
    maple, elm = home(office), home(office, name="Elm House")
    add(office, maple, 10_00, "Aqua")
    add(office, maple, 30_00, "City", types=("WATER", "SEWER"), on=date(2026, 3, 3))
    add(office, elm, 20_00, "Volt", on=date(2026, 4, 1), payment_status="PAID")
    text = office.browser("viewer").get(f"/bills{query}").text
    found = sorted((text.index(f">{name}</a>"), name) for name in ("Aqua", "City", "Volt") if f">{name}</a>" in text)
    assert [name for _, name in found] == issuers


def test_a_strangers_bills_are_not_listed_and_not_there(office: Office) -> None:
    browser, theirs = office.browser("stranger"), add(office, home(office))
    assert "Aqua" not in browser.get("/bills").text
    for path in ("", "/edit", "/delete"):
        assert browser.get(f"/bills/{theirs.id}{path}").status_code == 404
    for path, fields in (("payment", {"status": "PAID"}), ("delete", {}), ("month", {}), ("edit", FILLED)):
        assert browser.post(f"/bills/{theirs.id}/{path}", fields).status_code == 404


@pytest.mark.parametrize("format_", ["csv", "xlsx"])
def test_what_is_listed_is_handed_out_and_reads_back_as_the_same_bills(office: Office, format_: str) -> None:
    browser, maple = office.browser("viewer"), home(office)
    add(office, maple, 10_00, "Aqua")
    add(office, maple, 30_00, "City", types=("WATER", "SEWER"))
    assert f"format={format_}" in browser.get("/bills").text
    answer = browser.get(f"/bills/export?search=aqua&format={format_}")
    assert f"bills.{format_}" in answer.headers["content-disposition"]
    read = gathered(in_parts(answer.content, "bills"))
    assert [row[1] for _, row in read.rows] == ["Aqua"]


# --- one bill --------------------------------------------------------------------------------------------------------


def test_a_bill_shows_how_it_was_split_to_the_cent_and_on_which_invoices(office: Office) -> None:
    bill = add(office, home(office), account_number="A-17", notes="Meter 2")
    text = office.browser("viewer").get(f"/bills/{bill.id}").text
    for told in ("$90.01", "$45.01", "$45.00", "Billed in", "A-17", "Meter 2", 'href="/invoices/inv_', "Draft"):
        assert told in text
    assert "Delete" not in text
    assert "Edit" not in text


def test_a_long_split_is_shown_50_units_at_a_time(quick_office: Office) -> None:
    labels = [str(number) for number in range(1, 53)]
    bill = add(quick_office, home(quick_office, *labels))
    browser = quick_office.browser("owner")
    first, second, beyond = (browser.get(f"/bills/{bill.id}?page={page}").text for page in (1, 2, 9))
    assert "1–50 of 52 units" in first
    assert f'rel="next" href="/bills/{bill.id}?page=2#line-1"' in first
    assert first.count('href="/invoices/inv_') == 50
    assert "51–52 of 52 units" in second
    assert f'rel="prev" href="/bills/{bill.id}?page=1#line-1"' in second
    assert second.count('href="/invoices/inv_') == beyond.count('href="/invoices/inv_') == 2
    sums = [re.findall(r"Total<.*?<strong>(.*?)</strong>", page) for page in (first, second)]
    assert sums[0] == sums[1] == ["$90.01"], "of all units"
    assert "Parts are rounded to the cent, some of them up, so that together they are exactly" in first


def test_a_bill_is_marked_as_paid_and_not_paid(office: Office) -> None:
    browser, bill = office.browser("manager"), add(office, home(office))
    browser.post(f"/bills/{bill.id}/payment", {"status": "PAID"})
    assert "Mark as not paid" in browser.get(f"/bills/{bill.id}").text
    browser.post(f"/bills/{bill.id}/payment", {"status": "UNPAID"})
    assert "Mark as paid" in browser.get(f"/bills/{bill.id}").text


def test_a_bill_is_deleted_after_asking_unless_it_was_sent(office: Office) -> None:
    browser, maple = office.browser("owner"), home(office)
    first, second = add(office, maple), add(office, maple, 5_00, on=date(2026, 4, 2))
    for path in ("", "/delete"):
        text = browser.get(f"/bills/{second.id}{path}").text
        assert "The bill Aqua Water Co., April 2, 2026, $5.00 is permanently removed." in text
        assert "2 drafts have no other charge and will be deleted." in text
    assert browser.post(f"/bills/{second.id}/delete", {}).status_code == 303
    assert browser.get(f"/bills/{second.id}").status_code == 404
    send_all(office)
    text = browser.get(f"/bills/{first.id}").text
    assert "Is the bill wrong?" in text
    assert "Delete the bill" not in text
    assert "Set those invoices back to draft first" in said(browser, browser.get(f"/bills/{first.id}/delete"))
    refused = browser.post(f"/bills/{first.id}/delete", {})
    assert refused.status_code == 409
    assert "set them back to draft first" in refused.text


def test_what_falls_on_vacant_units_is_a_figure_of_its_own(office: Office) -> None:
    maple = lived_in(office, "1")
    add_unit(office, maple, "2")
    browser = office.browser("manager")
    bill = browser.post(NEW.format(maple.id), FILLED).headers["location"]
    text = browser.get(bill).text
    assert "Divided among 1 unit. You pay the share of 1 vacant unit." in text
    figures = re.findall(r'<dt>([^<]*)</dt><dd class="big">([^<]*)</dd>', text)
    assert figures == [
        ("Total", "$90.01"), ("Charged to tenants", "$45.01"), ("Vacant units", "$45.00"), ("Your own part", "$0.00")
    ]  # fmt: skip


def test_where_properties_are_too_many_for_a_list_a_bill_is_moved_by_search(quick_office: Office) -> None:
    browser, maple = quick_office.browser("owner"), lived_in(quick_office)
    for number in range(101):
        quick_office.add_property(name=f"Elm {number}")
    bill = add(quick_office, maple)
    assert f'href="/bills/{bill.id}/property"' in browser.get(f"/bills/{bill.id}/edit").text
    found = browser.get(f"/bills/{bill.id}/property?search=elm+7").text
    way = re.findall(rf'href="(/bills/{bill.id}/edit\?property=[^"]*)">Elm 7<', found)[0]
    form = browser.get(way).text
    assert "Property: Elm 7." in form
    filled = FILLED | {"propertyId": way.partition("=")[2], "notes": ""}
    assert "Elm 7" in said(browser, browser.post(f"/bills/{bill.id}/edit", filled))
    assert quick_office.browser("stranger").get(way).status_code == 404


# --- late ones -------------------------------------------------------------------------------------------------------


def test_late_bills_are_billed_together_and_what_becomes_of_each_is_said_before_and_after(quick_office: Office) -> None:
    browser, maple, elm = (
        quick_office.browser("owner"),
        lived_in(quick_office),
        lived_in(quick_office, name="Elm House"),
    )
    for of in (maple, elm):
        add(quick_office, of)
    send_all(quick_office)
    late = [add(quick_office, of, 10_00, issuer) for of, issuer in ((maple, "City"), (maple, "Volt"), (elm, "Gasco"))]
    add(quick_office, elm, 5_00, "Elm Water", on=date(2026, 4, 1))
    send_all(quick_office)
    chosen: Any = {"chosen": [bill.id for bill in late]}

    def answered(**more: str) -> str:
        return browser.post("/bills/late", chosen | more).text

    assert all(f'name="chosen" value="{bill.id}"' in browser.get("/bills?only=waiting").text for bill in late)
    refused = browser.post("/bills/late", {"only": "waiting"})
    assert (refused.status_code, "Select the bills, at most 100" in refused.text) == (400, True)
    before = answered(into="2026-04")
    assert "Bill 2 late bills?" in before
    assert "April 2026: 2 bills, $20.00" in before
    assert "1 bill stays as it is" in before
    assert "Invoices for April 2026 have already been sent" in before
    assert "Waiting" in browser.get("/bills?only=waiting").text, "nothing is changed before a person is sure"
    assert "May 2026: 1 bill, $10.00" in answered()
    after = answered(is_sure="true")
    assert "3 late bills were billed" in after
    assert "April 2026: 2 bills, $20.00" in after
    assert all(bill.issuer_name not in browser.get("/bills?only=waiting").text for bill in late)
    again = answered(is_sure="true")
    assert again.count("it has already been billed") == 3


def test_a_late_bill_waits_and_goes_where_a_person_says(office: Office) -> None:
    browser, maple = office.browser("owner"), lived_in(office)
    add(office, maple)
    send_all(office)
    late, later = add(office, maple, 10_00, "City"), add(office, maple, 7_00, "Volt")
    text = browser.get(f"/bills/{late.id}").text
    assert "Bill it in April 2026" in text
    assert "Waiting" in browser.get("/bills?only=waiting").text
    refused = browser.post(f"/bills/{late.id}/month", {"billingMonth": "2026-03"})
    assert refused.status_code == 400
    assert "Choose an open month" in refused.text
    empty = browser.post(f"/bills/{late.id}/month", {"billingMonth": ""})
    assert empty.status_code == 400
    assert 'id="wrong-billingMonth">Please fill this in.' in empty.text
    moved = browser.post(f"/bills/{late.id}/month", {"nextOpen": "true"})
    assert "Billed in April 2026. Divided among 2 units." in browser.get(moved.headers["location"]).text
    browser.post(f"/bills/{later.id}/month", {"billingMonth": "2026-06"})
    assert "June 2026" in browser.get(f"/bills/{later.id}").text
    assert browser.post(f"/bills/{later.id}/month", {}).status_code == 409


# --- by hand ---------------------------------------------------------------------------------------------------------


def test_a_bill_entered_by_hand_says_how_many_units_it_charged(office: Office) -> None:
    browser, maple = office.browser("manager"), lived_in(office)
    assert browser.get("/bills/new").headers["location"] == NEW.format(maple.id)
    answer = browser.post(NEW.format(maple.id), FILLED)
    assert answer.status_code == 303
    text = browser.get(answer.headers["location"]).text
    assert "The bill was added. Divided among 2 units." in text
    assert "$45.01" in text


def test_amounts_for_each_utility_and_parts_that_nobody_pays_are_kept(office: Office) -> None:
    browser, maple = office.browser("owner"), home(office)
    parts = {"amountWater": "60", "amountSewer": "25.01", "amountLateFee": "5"}
    answer = browser.post(NEW.format(maple.id), FILLED | parts)
    bill = answer.headers["location"]
    text = browser.get(bill).text
    for told in ("$60.00", "$25.01", "$5.00", "A late fee isn’t billed to tenants; the owner pays it"):
        assert told in text
    form = browser.get(f"{bill}/edit").text
    assert 'name="amountSewer" value="25.01"' in form
    assert '<details class="fold" open><summary>Parts that' in form


def test_what_has_an_amount_is_ticked_when_the_form_is_shown_again(quick_office: Office) -> None:
    its = home(quick_office)
    sent = FILLED | {"totalAmountDue": "", "amountSewer": "90.01"}
    text = quick_office.browser("owner").post(NEW.format(its.id), sent).text
    ticked = set(re.findall(r'name="has(\w+)" value="true" checked', text))
    assert ticked == {"Water", "Sewer"}


def test_every_problem_of_a_bill_stands_beside_its_field_and_what_was_typed_is_kept(quick_office: Office) -> None:
    browser, maple = quick_office.browser("owner"), home(quick_office)
    typed = {"issuerName": "", "totalAmountDue": "a lot", "billDate": "", "notes": "<Meter>", "amountSewer": "many"}
    answer = browser.post(NEW.format(maple.id), FILLED | typed)
    assert answer.status_code == 400
    for field in ("issuerName", "totalAmountDue", "billDate", "amountSewer", "amountWater"):
        assert f'id="wrong-{field}"' in answer.text
    assert 'value="a lot"' in answer.text
    assert "&lt;Meter&gt;" in answer.text
    assert 'name="hasWater" value="true" checked' in answer.text
    nothing = browser.post(NEW.format(maple.id), FILLED | {"hasWater": ""})
    assert "at least one utility" in nothing.text


def test_a_bill_is_changed_and_what_it_touches_is_divided_anew(office: Office) -> None:
    browser, maple = office.browser("owner"), home(office)
    other = lived_in(office, "9", name="Elm House")
    bill = browser.post(NEW.format(maple.id), FILLED).headers["location"]
    form = browser.get(f"{bill}/edit").text
    assert 'name="hasWater" value="true" checked' in form
    assert 'value="2026-03-02"' in form
    changed = FILLED | {"propertyId": other.id, "totalAmountDue": "80", "billingMonth": "2026-05"}
    answer = browser.post(f"{bill}/edit", changed)
    assert answer.headers["location"] == bill
    text = browser.get(bill).text
    assert "Saved. Divided among 1 unit." in text
    assert "May 2026" in text
    refused = browser.post(f"{bill}/edit", changed | {"totalAmountDue": "none"})
    assert refused.status_code == 400
    assert 'id="wrong-totalAmountDue"' in refused.text


def test_where_there_are_many_properties_one_is_searched_for(quick_office: Office) -> None:
    home(quick_office)
    elm = home(quick_office, name="Elm House")
    browser = quick_office.browser("owner")
    found = browser.get("/bills/new?search=elm").text
    assert NEW.format(elm.id) in found
    assert "Maple Court" not in found


def test_a_missing_bill_is_entered_with_what_is_known_of_it(office: Office) -> None:
    browser, maple = office.browser("manager"), lived_in(office)
    for month in (1, 2, 3):
        add(office, maple, on=date(2026, month, 5), account_number="A-17", types=("WATER", "SEWER"))
    review = browser.get(f"/properties/{maple.id}/months/2026-04").text
    way = re.findall(r'href="([^"]*/bills/new\?like=[^"]*)"', review)[0].replace("&amp;", "&")
    form = browser.get(way).text
    for kept in ('value="Aqua Water Co."', 'value="A-17"', 'value="2026-04"', 'name="hasSewer" value="true" checked'):
        assert kept in form
    assert 'name="totalAmountDue" type="text" value=""' in form
    assert f'action="{NEW.format(maple.id)}"' in form
    assert office.browser("stranger").get(way).status_code == 404
