"""An import of share rules says which rules a later version ends."""

import pytest

from prorata.actions.splitting import share_rules
from prorata.store.properties.properties import PropertyRow
from tests.dashboard.conftest import Browser, Office
from tests.dashboard.properties.test_units import add_tenant, add_unit
from tests.dashboard.sent_files import send
from tests.dashboard.splitting.test_rule_dates import send_all
from tests.dashboard.splitting.test_rule_imports import AT, save
from tests.dashboard.splitting.test_share_rules import add_bill

BY_AREA, BY_PEOPLE = "Objekt;Wasser\nElm;Fläche\n", "Objekt;Wasser\nElm;Personen\n"
UNTIL = 'By occupants<span class="sub">until {}; then by floor area</span>'
ENDS = "1 rule applies only until a later version that is already entered."


@pytest.fixture
def elm(quick_office: Office) -> PropertyRow:
    """A property whose invoices of February 2026 were sent."""
    row = quick_office.add_property(name="Elm")
    add_tenant(quick_office, add_unit(quick_office, row, "1"), "Ann")
    add_bill(quick_office, row, 100_00)
    send_all(quick_office, row.id, ["2026-02"])
    return row


@pytest.fixture
def browser(quick_office: Office) -> Browser:
    return quick_office.browser("manager")


def versions(office: Office, row: PropertyRow) -> dict[str | None, str]:
    found = office.database.read(lambda tx: share_rules.of_type(tx, office.caller, row.id, "WATER"))[1]
    return {version.effective_from: version.terms.split_method for version in found}


def test_a_dated_import_says_until_when_its_rule_applies(
    quick_office: Office, browser: Browser, elm: PropertyRow
) -> None:
    save(browser, send(browser, BY_AREA, AT))
    looked = send(browser, BY_PEOPLE, AT, effectiveFrom="2026-02")
    assert UNTIL.format("February 2026") in looked.text
    assert "1 rule that exists is replaced." in looked.text
    assert ENDS in looked.text
    done = browser.get(save(browser, looked).headers["location"]).text
    assert "1 share rule was replaced. Elm, Water: until February 2026; then by floor area." in done
    assert versions(quick_office, elm) == {None: "EQUAL", "2026-02": "OCCUPANTS", "2026-03": "SQFT"}


def test_a_rule_that_a_later_version_ends_is_not_already_as_in_the_file(
    quick_office: Office, browser: Browser, elm: PropertyRow
) -> None:
    save(browser, send(browser, BY_AREA, AT, effectiveFrom="2026-06"))
    looked = send(browser, BY_PEOPLE, AT)
    assert UNTIL.format("May 2026") in looked.text
    save(browser, looked)
    again = send(browser, BY_PEOPLE, AT)
    assert UNTIL.format("May 2026") in again.text
    assert ENDS in again.text
    assert "already as in the file" not in again.text
    assert "/import/rules/add" not in again.text, "there is nothing to save"
    save(browser, send(browser, BY_PEOPLE, AT, effectiveFrom="2026-06"))
    assert "1 rule is already as in the file." in send(browser, BY_PEOPLE, AT).text
    assert versions(quick_office, elm) == {None: "EQUAL", "2026-03": "OCCUPANTS", "2026-06": "OCCUPANTS"}


def test_a_later_version_of_the_same_blend_ends_nothing(browser: Browser, elm: PropertyRow) -> None:
    text = BY_AREA.replace("Fläche", "50% Fläche / 50% Personen")
    save(browser, send(browser, text, AT, effectiveFrom="2026-06"))
    looked = send(browser, text, AT)
    assert "until " not in looked.text.split("What each column means")[0]
    save(browser, looked)
    assert "1 rule is already as in the file." in send(browser, text, AT).text
