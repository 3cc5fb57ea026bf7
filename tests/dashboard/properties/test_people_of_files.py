"""Files of units whose columns and rows name the tenants in unusual ways."""

import pytest

from tests.dashboard.conftest import Office
from tests.dashboard.properties.test_property_files import bring


@pytest.mark.parametrize("name", ["Household", "Haushalt", "Foyer", "Hogar"])
def test_a_column_of_households_with_numbers_says_how_many_people_they_are(quick_office: Office, name: str) -> None:
    browser, its = quick_office.browser("manager"), quick_office.add_property()
    looked = bring(browser, f"Unit,Tenant,{name}\n1,Ann Lee,3\n2,Vacant,\n", its.id).text
    assert '<option value="occupants" selected>' in looked
    assert '<td>Ann Lee</td><td class="number"></td><td class="number">3</td>' in looked
    looked = bring(browser, f"Unit,{name}\n1,Ann Lee\n2,Bo Chen\n", its.id).text
    assert '<option value="tenantName" selected>' in looked


def test_a_unit_that_a_former_tenant_has_left_is_counted_as_vacant(quick_office: Office) -> None:
    browser, its = quick_office.browser("manager"), quick_office.add_property()
    rows = "Unit,Tenant,Move-out date\n1,Ann Lee,2026-02-28\n1,Vacant,\n2,Bo Chen,\n3,Vacant,\n"
    looked = bring(browser, rows, its.id).text
    assert "2 units in the file are vacant." in looked
    assert "repeats line" not in looked
