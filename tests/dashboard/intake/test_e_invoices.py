"""Tests of e-invoices in the inbox.

The page shows the charges, and asks only once per seller for the purpose of each line.
"""

import re

import pytest

from prorata.actions.bills import bills
from prorata.actions.intake import issuer_lessons
from prorata.domain.intake.e_invoices.drafts import E_INVOICE
from prorata.store.properties.properties import PropertyRow
from tests.adapters.intake.test_pdf_text import SENTENCE, pdf
from tests.dashboard.conftest import Browser, Office
from tests.dashboard.intake.test_drafts_shown import words_of
from tests.dashboard.intake.test_inbox import bring, fields, ids, read_all
from tests.e_invoices.in_pdfs import within
from tests.e_invoices.made import Line, Made, cii, ubl

BOTH = Made(lines=(Line("Trinkwasser", 100_00, 7), Line("Grundpreis", 50_00)), prepaid=30_00)
NEXT = BOTH._replace(number="R-2026-18", issued="2026-04-14", due="2026-05-01", period=("2026-03-01", "2026-03-31"))
SELLER = "DE123456789"


@pytest.fixture
def house(office: Office) -> PropertyRow:
    return office.add_property(country="DE", currency="EUR", state="", zip="12345")


def brought(office: Office, browser: Browser, name: str, content: bytes) -> str:
    assert bring(browser, (name, content)).status_code == 303
    read_all(office)
    return f"/inbox/{max(ids(office))}"


def taught(office: Office) -> dict[str, object]:
    return dict(office.database.read(lambda tx: issuer_lessons.known(tx, office.account_id, SELLER, E_INVOICE)))


def confirmed(browser: Browser, path: str, house: PropertyRow, **changes: str) -> None:
    form = fields(browser.get(f"{path}?property={house.id}").text) | changes
    answer = browser.post(path, form)
    assert answer.status_code == 303, words_of(answer.text)


def said(browser: Browser, path: str, house: PropertyRow, *kinds: str) -> None:
    form = {f"kind{number}": kind for number, kind in enumerate(kinds, 1)}
    assert browser.post(f"{path}/items", form | {"property": house.id}).headers["location"].endswith(house.id)


def test_what_each_line_is_for_is_asked_once_of_its_seller(office: Office, house: PropertyRow) -> None:
    browser = office.browser("manager")
    path = brought(office, browser, "bill.xml", cii(BOTH))
    shown = words_of(browser.get(f"{path}?property={house.id}").text)
    assert "An e-invoice without a page" in shown
    assert "Say what “Trinkwasser” and other charges are for." in shown
    assert fields(shown)["totalAmountDue"] == "136,50"
    assert '<option value="WATER" selected>' in shown, "its name says so"

    said(browser, path, house, "WATER", "WATER", "PREVIOUS_BALANCE")
    assert taught(office) == {}, "nothing is taught before it is confirmed"
    confirmed(browser, path, house)

    assert taught(office) == {
        "account": "contract",
        "lines": {"name:trinkwasser": "WATER", "name:grundpreis of:4711-20": "WATER"},
        "prepaid": "PREVIOUS_BALANCE",
    }
    after = browser.get(brought(office, browser, "next.xml", ubl(NEXT))).text
    assert "Say what" not in after
    form = fields(after)
    assert (form["propertyId"], form["amountWater"], form["amountPreviousBalance"]) == (house.id, "166,50", "-30,00")


def test_what_an_e_invoice_says_was_used_stands_in_the_form_and_on_the_bill(office: Office, house: PropertyRow) -> None:
    browser = office.browser("manager")
    lines = (Line("Trinkwasser", 100_00, 7, used="31.25 MTQ", price="3.20"), Line("Grundpreis", 50_00, used="28 DAY"))
    path = brought(office, browser, "bill.xml", cii(BOTH._replace(lines=lines, prepaid=0)))
    said(browser, path, house, "WATER", "WATER")

    form = fields(browser.get(f"{path}?property={house.id}").text)
    assert (form["usedWater"], form["unitWater"], form["priceWater"]) == ("31,25", "m³", "3,2")
    confirmed(browser, path, house)

    (row,) = office.database.read(lambda tx: bills.page(tx, office.caller, limit=9, offset=0))[0]
    assert "31.25\xa0m³ at €3.20 each" in browser.get(f"/bills/{row.id}").text


def test_what_is_asked_of_an_e_invoice_is_in_the_language_of_the_page(office: Office, house: PropertyRow) -> None:
    browser = office.browser("manager")
    heat = Line("Fernwärme / Heizung", 999_60)
    path = brought(office, browser, "bill.xml", ubl(BOTH._replace(lines=(heat,), prepaid=0)))
    assert "Check each of these, and correct it" in browser.get(path).text
    browser.post("/settings/security/name", {"name": "Max", "locale": "de-DE"})
    shown = words_of(browser.get(path).text)
    assert "Sagen Sie, wofür „Fernwärme / Heizung“ ist." in shown
    assert "Prüfen Sie jeden dieser Werte" in shown
    assert re.search(r"Sonstiges\s+[0-9.]+,[0-9]{2}", shown)


def test_a_bill_that_is_divided_by_hand_teaches_no_line(office: Office, house: PropertyRow) -> None:
    browser = office.browser("manager")
    path = brought(office, browser, "bill.xml", cii(BOTH._replace(prepaid=0)))

    confirmed(browser, path, house, amountWater="100,00", amountOwner="66,50")

    assert taught(office).get("lines") == {}


def test_an_e_invoice_within_a_pdf_is_shown_beside_its_page(office: Office, house: PropertyRow) -> None:
    browser = office.browser("manager")
    path = brought(office, browser, "bill.pdf", within(pdf(SENTENCE), cii(BOTH)))

    shown = browser.get(f"{path}?property={house.id}").text

    assert f'src="{path}/pages/1"' in shown
    assert browser.get(f"{path}/pages/1").status_code == 200
    assert fields(shown)["billNumber"] == "R-2026-17"


@pytest.mark.parametrize("write", [cii, ubl])
def test_one_that_contradicts_its_own_sums_is_a_sentence_and_teaches_nothing(
    office: Office, house: PropertyRow, write
) -> None:
    browser = office.browser("manager")
    path = brought(office, browser, "bill.xml", write(BOTH._replace(sums={"tax": 1_00})))

    shown = words_of(browser.get(f"{path}?property={house.id}").text)

    assert "The sums in this e-invoice contradict each other: the tax should be 16.50, and it says 1.00." in shown
    assert "What the e-invoice charges" not in shown
    assert fields(shown)["totalAmountDue"] == ""
    refused = browser.post(f"{path}/items", {"kind1": "WATER"})
    assert refused.status_code == 409
    assert taught(office) == {}
    confirmed(browser, path, house, issuerName="Werke", totalAmountDue="12,00", billDate="2026-03-14", hasWater="true")
    assert taught(office) == {}


def test_a_pdf_whose_e_invoice_is_wrong_says_that_its_page_was_read(office: Office, house: PropertyRow) -> None:
    browser = office.browser("manager")
    wrong = cii(BOTH._replace(sums={"tax": 1_00}))

    path = brought(office, browser, "bill.pdf", within(pdf(SENTENCE), wrong))

    shown = words_of(browser.get(f"{path}?property={house.id}").text)
    assert "What is shown was read from the pages, and not from the e-invoice within this PDF." in shown


def test_what_was_learned_of_a_seller_can_be_forgotten_and_learned_anew(office: Office, house: PropertyRow) -> None:
    browser = office.browser("manager")
    path = brought(office, browser, "bill.xml", cii(BOTH._replace(prepaid=0)))
    confirmed(browser, path, house, hasGas="true")
    assert taught(office)["lines"] == {"name:trinkwasser": "GAS", "name:grundpreis of:4711-20": "GAS"}
    path = brought(office, browser, "next.xml", cii(NEXT._replace(prepaid=0)))
    assert "Say what" not in browser.get(path).text

    assert browser.post(f"{path}/forget", {}).status_code == 303

    assert taught(office) == {}
    assert "Say what" in words_of(browser.get(path).text)
    said(browser, path, house, "WATER", "WATER")
    confirmed(browser, path, house)
    assert taught(office)["lines"] == {"name:trinkwasser": "WATER", "name:grundpreis of:4711-20": "WATER"}


def test_more_lines_than_are_asked_are_entered_as_sums(office: Office, house: PropertyRow) -> None:
    browser = office.browser("manager")
    many = Made(lines=tuple(Line(f"Teil {number}", 1_00) for number in range(70)))

    shown = browser.get(f"{brought(office, browser, 'bill.xml', cii(many))}?property={house.id}").text

    assert len(re.findall(r'name="kind\d+"', shown)) == 60
