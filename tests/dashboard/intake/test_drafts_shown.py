"""The page of a file describes the draft that Prorata read from it.

It names values that were not found, another currency, and the probable property.
"""

from datetime import date

from prorata.actions.accounts import accounts
from prorata.actions.bills import bills
from prorata.actions.intake import documents
from prorata.domain.bills.bills import NewBill
from prorata.domain.intake.bill_reading.draft import UNREAD, Draft, Line, asked, found, missing
from tests.dashboard.conftest import Office
from tests.dashboard.intake.test_inbox import fields

DRAFT = UNREAD._replace(
    issuer=found("Aqua Water Co."),
    account_number=found("A-1"),
    bill_date=found(date(2026, 3, 2)),
    due_date=missing("due date"),
    service_start=missing("first day of service"),
    service_address=missing("service address"),
    total=found(80_00),
    lines=found((Line("WATER", 80_00, ()),)),
    currency="$",
)


def brought(office: Office, draft: Draft) -> str:
    """The path of the page of a file from which this draft was read."""
    row = office.database.write(lambda tx: documents.take(tx, office.caller, "bill.pdf", b"%PDF-1.7", "upload")).row
    office.database.write(lambda tx: documents.note_draft(tx, office.account_id, row.id, draft))
    return f"/inbox/{row.id}"


def words_of(html: str) -> str:
    return " ".join(html.split())


def test_each_field_that_was_not_found_is_named(quick_office: Office) -> None:
    maple = quick_office.add_property()
    shown = words_of(quick_office.browser("manager").get(f"{brought(quick_office, DRAFT)}?property={maple.id}").text)
    _, heading, rest = shown.partition("Not found on the bill</h2>")
    named = rest.partition("</p>")[0]
    assert heading
    assert '<a class="link" href="#f-dueDate">Due</a>' in named
    assert "First day of service" in named
    assert "Enter what you can see on the bill." in named
    assert "Service address" not in named, "the form has no field for it"
    assert "Bill number" not in named, "nobody has looked for it"


def test_a_file_that_was_not_read_names_no_field(quick_office: Office) -> None:
    maple = quick_office.add_property()
    shown = quick_office.browser("manager").get(f"{brought(quick_office, UNREAD)}?property={maple.id}").text
    assert "Not found on the bill" not in shown


def test_amounts_in_another_currency_are_left_out_and_a_sign_that_may_be_the_propertys_is_not(
    quick_office: Office,
) -> None:
    maple, browser = quick_office.add_property(), quick_office.browser("manager")
    path = brought(quick_office, DRAFT._replace(currency="CAD"))
    shown = browser.get(f"{path}?property={maple.id}").text
    assert "The bill is in CAD, but Maple Court is in USD. Enter the bill’s amounts in USD." in shown
    assert fields(shown).get("totalAmountDue", "") == ""
    quick_office.database.write(lambda tx: documents.set_aside(tx, quick_office.caller, path.rpartition("/")[2]))
    quick_office.database.write(lambda tx: documents.take_up(tx, quick_office.caller, path.rpartition("/")[2]))
    shown = browser.get(f"{brought(quick_office, DRAFT)}?property={maple.id}").text
    assert "Enter the bill’s amounts in" not in shown
    assert fields(shown)["totalAmountDue"] == "80.00"


def test_where_account_number_and_service_address_are_of_two_properties_the_page_says_so(quick_office: Office) -> None:
    maple = quick_office.add_property()
    quick_office.add_property(name="Elm House", street_number="77", street="Elm Street")
    before = NewBill(maple.id, "Aqua Water Co.", ("WATER",), 70_00, date(2026, 2, 2), account_number="A-1")
    quick_office.database.write(lambda tx: bills.add(tx, quick_office.caller, [before]))
    at_elm = f"77 Elm Street, {maple.city} {maple.zip}"
    shown = words_of(
        quick_office.browser("manager").get(brought(quick_office, DRAFT._replace(service_address=found(at_elm)))).text
    )
    assert (
        "Earlier bills of this account number were for it, but the service address on the bill is that of Elm House."
        in shown
    )


def test_the_part_of_a_bill_that_is_known_is_filled_in_and_stands_for_no_more(quick_office: Office) -> None:
    maple, browser = quick_office.add_property(), quick_office.browser("manager")
    draft = DRAFT._replace(lines=asked("Say what the rest is for.", (Line("WATER", 60_00, ()),)))
    path = brought(quick_office, draft)
    form = fields(browser.get(f"{path}?property={maple.id}").text)
    assert (form["totalAmountDue"], form["amountWater"]) == ("80.00", "60.00")
    assert "Say what the rest is for." in browser.get(f"{path}?property={maple.id}").text
    assert browser.post(path, form).status_code == 409, "20.00 are left to be said"
    whole = fields(browser.get(f"{path}?property={maple.id}").text) | {"amountLateFee": "20.00"}
    assert browser.post(path, whole).status_code == 303


def test_the_account_itself_is_not_proposed_as_who_sent_a_bill(quick_office: Office) -> None:
    maple = quick_office.add_property()
    own = quick_office.database.read(lambda tx: accounts.the_account(tx, quick_office.caller)).name
    draft = DRAFT._replace(issuer=asked("We aren’t sure.", f"{own.upper()} LLC", "Volt Power Co."))
    shown = quick_office.browser("manager").get(f"{brought(quick_office, draft)}?property={maple.id}").text
    assert fields(shown)["issuerName"] == "Volt Power Co."
    assert "LLC" not in shown
