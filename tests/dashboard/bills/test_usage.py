"""Tests of entering the usage that a bill states.

It is entered in the form beside the amounts, and shown on the bill's page and on its invoices.
"""

import re
from html import unescape

from prorata.actions.bills import bills
from prorata.actions.invoices import invoices
from tests.dashboard.bills.test_bills import FILLED, NEW, lived_in, send_all
from tests.dashboard.bills.test_spread_bills import words
from tests.dashboard.conftest import Office
from tests.dashboard.intake.test_inbox import fields

USED = {"usedWater": "12.5", "unitWater": "m3", "priceWater": "$3.20"}
SAID = "12.5\xa0m³ at $3.20 each"


def is_open(text: str) -> bool:
    """True if the usage section of the form is unfolded."""
    return re.search(r"<details[^>]* open><summary>Usage and price", text) is not None


def first_bill(office: Office) -> str:
    (row,) = office.database.read(lambda tx: bills.page(tx, office.caller, limit=9, offset=0))[0]
    return f"/bills/{row.id}"


def test_what_was_used_is_typed_shown_and_kept_in_the_form(office: Office) -> None:
    of, browser = lived_in(office), office.browser("manager")
    assert not is_open(browser.get(NEW.format(of.id)).text), "it is in nobody's way"

    answer = browser.post(NEW.format(of.id), FILLED | USED)

    page = answer.headers["location"]
    assert f"Usage Water: {SAID}".replace("\xa0", " ") in words(browser.get(page))
    form = browser.get(f"{page}/edit").text
    assert is_open(form)
    assert {name: fields(form)[name] for name in USED} == {"usedWater": "12.5", "unitWater": "m³", "priceWater": "3.2"}
    assert f"Usage and price: Water: {SAID}".replace("\xa0", " ") in words(browser.get("/activity"))
    (shown, *_), _ = office.database.read(
        lambda tx: invoices.page(tx, office.caller, {}, limit=9, offset=0, details=False)
    )
    assert "12.5\xa0m³ × $3.20 + $50.01 not for usage." in unescape(browser.get(f"/invoices/{shown.summary.id}").text)

    browser.post(f"{page}/edit", fields(form) | {"priceWater": ""})
    assert "Usage Water: 12.5 m³ " in words(browser.get(page))
    assert "each" not in words(browser.get(page))


def test_a_utility_of_which_something_was_used_is_one_that_the_bill_is_for(office: Office) -> None:
    of, browser = lived_in(office), office.browser("manager")
    browser.post(NEW.format(of.id), {name: text for name, text in FILLED.items() if name != "hasWater"} | USED)
    assert "Usage Water: 12.5 m³ at $3.20 each" in words(browser.get(first_bill(office)))


def test_what_is_wrong_with_it_stands_beside_its_field(office: Office) -> None:
    of, browser = lived_in(office), office.browser("manager")
    wrong = {"usedWater": "1.234", "unitWater": "", "priceWater": "€3.20", "usedGas": "", "unitGas": "therm"}

    answer = browser.post(NEW.format(of.id), FILLED | wrong)

    assert answer.status_code == 400
    assert is_open(answer.text)
    for field in ("usedWater", "unitWater", "priceWater", "usedGas"):
        assert re.search(rf'id="f-{field}"[^>]*aria-invalid', answer.text), field
    assert "Enter 1234 or 1.2340." in words(answer)


def test_what_was_sent_stays_as_it_was_said(office: Office) -> None:
    of, browser = lived_in(office), office.browser("manager")
    browser.post(NEW.format(of.id), FILLED | USED)
    send_all(office)
    page = first_bill(office)

    answer = browser.post(f"{page}/edit", fields(browser.get(f"{page}/edit").text) | {"usedWater": "13"})

    assert answer.status_code == 409
    assert "This bill was charged in March 2026, where invoices have been sent." in words(answer)
    assert f"Usage Water: {SAID}".replace("\xa0", " ") in words(browser.get(page))
