"""The checks of a month link to what they are about."""

import html
import re
from datetime import date

from prorata.actions.bills import bills
from prorata.actions.properties import tenants, units
from prorata.domain.bills.bills import NewBill
from tests.dashboard.conftest import Office
from tests.dashboard.months.test_months import MONTH, furnished
from tests.dashboard.properties.test_units import add_tenant, add_unit, divide_by
from tests.dashboard.splitting.test_share_rules import add_bill


def test_the_rules_that_count_nobody_in_a_vacant_unit_are_linked_where_they_are_named(office: Office) -> None:
    its, browser = furnished(office), office.browser("manager")
    at, rules = f"/properties/{its}/months/{MONTH}", f"/properties/{its}/rules"
    browser.post(f"{rules}/water", {"splitMethod": "OCCUPANTS", "isActive": "true"})
    page = browser.get(at).text
    assert "Add a tenant" in page
    assert f'href="{rules}/water">See the rule<' in page


def test_bills_that_are_missing_lead_to_the_form_of_a_bill(quick_office: Office) -> None:
    its, browser = quick_office.add_property(), quick_office.browser("manager")
    add_unit(quick_office, its, "1")
    for day, kinds in (("2026-01-20", ("WATER",)), ("2026-01-21", ("GAS",)), ("2026-02-20", ("INTERNET",))):
        new = NewBill(its.id, f"{kinds[0]} Co.", kinds, 90_00, date.fromisoformat(day))
        quick_office.database.write(lambda tx, new=new: bills.add(tx, quick_office.caller, [new]))
    page = browser.get(f"/properties/{its.id}/months/{MONTH}").text
    (to,) = re.findall(rf'href="(/properties/{its.id}/bills/new[^"]*)">Enter the bill<', page)
    assert browser.get(html.unescape(to)).status_code == 200


def test_a_measure_that_is_missing_leads_to_where_it_is_entered(office: Office) -> None:
    its = office.add_property()
    add_unit(office, its, "1")
    add_bill(office, its)
    at, browser = f"/properties/{its.id}/months/{MONTH}", office.browser("manager")
    divide_by(office, its, "EQUAL")
    browser.post(f"/properties/{its.id}/rules/water", {"splitMethod": "SQFT", "isActive": "true"})
    (unit,) = office.database.read(lambda tx: units.all_of(tx, office.caller, its.id))
    assert f'href="/units/{unit.id}/edit"' in browser.get(at).text
    browser.post(f"/properties/{its.id}/rules/water", {"splitMethod": "PERCENTAGE", "isActive": "true"})
    assert f'href="/properties/{its.id}/rules/water"' in browser.get(at).text


def test_a_finding_leads_only_to_what_is_there(office: Office) -> None:
    its, browser = office.add_property(), office.browser("manager")
    add_unit(office, its, "9")
    unit = add_unit(office, its, "1")
    bo = add_tenant(office, unit, "Bo Kim")
    add_bill(office, its)
    at = f"/properties/{its.id}/months/{MONTH}"
    assert f'href="/tenants/{bo.id}/edit"' in browser.get(at).text
    office.clock.advance(days=3)
    office.database.write(lambda tx: tenants.remove(tx, office.caller, bo.id))
    page = browser.get(at).text
    assert "Bo Kim (unit 1) has no e-mail address" in page
    assert f"/tenants/{bo.id}" not in page
