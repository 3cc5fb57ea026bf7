"""Tests of the names that tenants see instead of utilities.

It is typed with the bill, kept in the form for the next one, and printed on sent invoices, too.
"""

from html import unescape

from prorata.actions.bills import entries
from prorata.actions.invoices import invoices
from prorata.actions.printing import printed_invoices
from prorata.domain.bills.forms import BillForm, FormLine
from prorata.domain.printing.languages import texts_for
from tests.dashboard.bills.test_bills import FILLED, NEW, lived_in, send_all
from tests.dashboard.bills.test_spread_bills import words
from tests.dashboard.conftest import Office
from tests.dashboard.intake.test_inbox import fields

HEATING = {name: text for name, text in FILLED.items() if name != "hasWater"} | {
    "hasOther": "true", "nameOther": " Heating ",
}  # fmt: skip


def of_invoice(office: Office) -> tuple[str, list[str]]:
    """The id of an invoice, and the names of its charges for the tenant."""
    (shown, *_), _ = office.database.read(
        lambda tx: invoices.page(tx, office.caller, {}, limit=9, offset=0, details=False)
    )
    printed = office.database.read(lambda tx: printed_invoices.find(tx, office.caller, shown.summary.id))
    return shown.summary.id, [charge.name(texts_for(printed.copy.locale)) for charge in printed.charges]


def test_tenants_see_the_name_of_a_bill_instead_of_other_even_if_it_is_given_after_sending(office: Office) -> None:
    of, browser = lived_in(office), office.browser("manager")
    page = browser.post(NEW.format(of.id), HEATING).headers["location"]
    invoice, names = of_invoice(office)
    assert names == ["Heating"]
    assert "Other: Heating" in words(browser.get(page))
    assert "Heating" in unescape(browser.get(f"/invoices/{invoice}").text)
    assert "Other (Heating)" in words(browser.get("/bills"))
    assert "Other Heating" in words(browser.get(f"/properties/{of.id}/months/2026-03"))

    send_all(office)
    typed = fields(browser.get(f"{page}/edit").text)
    assert typed["nameOther"] == "Heating"
    browser.post(f"{page}/edit", typed | {"nameOther": "District heating"})
    assert of_invoice(office) == (invoice, ["District heating"])
    assert "Names for tenants: Other: Heating → became Other: District heating" in words(browser.get("/activity"))

    browser.post(f"{page}/edit", fields(browser.get(f"{page}/edit").text) | {"nameOther": ""})
    assert of_invoice(office) == (invoice, ["Other"])


def test_a_name_is_for_a_utility_that_the_bill_is_for_and_a_wrong_one_is_refused_beside_its_field(
    office: Office,
) -> None:
    of, browser = lived_in(office), office.browser("manager")
    named = FILLED | {"hasElectricity": "true", "nameElectricity": "Stairs"}
    assert "Electricity: Stairs" in words(browser.get(browser.post(NEW.format(of.id), named).headers["location"]))
    answer = browser.post(NEW.format(of.id), FILLED | {"nameElectricity": "Stairs"})
    assert answer.status_code == 400
    assert "The bill isn’t for this utility. Select it above, or clear the name." in unescape(answer.text)
    for wrong, why in (("x" * 61, "This text can have at most 60 characters."), ("a;b", "can’t contain a semicolon")):
        answer = browser.post(NEW.format(of.id), HEATING | {"nameOther": wrong})
        assert answer.status_code == 400
        assert why in unescape(answer.text)


def test_the_next_bill_of_an_issuer_is_proposed_the_name_of_the_last(office: Office) -> None:
    of, browser = lived_in(office), office.browser("manager")
    page = browser.post(NEW.format(of.id), HEATING).headers["location"]
    like = page.removeprefix("/bills/")
    assert fields(browser.get(f"{NEW.format(of.id)}?like={like}").text)["nameOther"] == "Heating"

    def proposed(issuer: str, kind: str) -> str:
        form = BillForm(of.id, issuer, "", "", (FormLine(kind),))
        return office.database.read(lambda tx: entries.named_as_before(tx, office.caller, form)).lines[0].name

    assert proposed("Aqua Water Co.", "OTHER") == "Heating"
    browser.post(f"{page}/edit", fields(browser.get(f"{page}/edit").text) | {"nameOther": ""})
    assert proposed("Aqua Water Co.", "OTHER") == "", "a name that was removed is not proposed"
    browser.post(f"{page}/edit", fields(browser.get(f"{page}/edit").text) | {"nameOther": "Heating"})
    assert proposed("Aqua Water Co.", "WATER") == proposed("Somebody else", "OTHER") == ""
