"""Tests of former tenants who still owe something, in the list of tenants."""

from prorata.actions.invoices import statements
from prorata.actions.properties import tenants
from prorata.store.database.engine import Tx
from prorata.store.properties import units
from tests.dashboard.billed import set_status
from tests.dashboard.conftest import Office
from tests.dashboard.tenants import sent


def test_former_tenants_who_owe_are_named_above_the_list_and_listed_by_themselves(office: Office) -> None:
    browser = office.browser("viewer")
    ann, bo, cy = sent(office, "Ann", "Bo", "Cy")
    assert "still owe" not in browser.get("/tenants").text
    assert "No former tenant owes you anything." in browser.get("/tenants?owing=true").text

    def leave(tx: Tx) -> None:
        for one in (bo, cy):
            (its,) = units.tenants_of_unit(tx, office.account_id, one.unit_id)
            tenants.change(tx, office.caller, its.id, {"move_out": "2026-02-28"})

    office.database.write(leave)
    page = browser.get("/tenants").text
    assert "2 former tenants still owe $60.00." in page
    assert [f'href="/units/{one.unit_id}"' in page for one in (ann, bo, cy)] == [True, False, False]
    set_status(office, bo.id, "PAID")
    assert "1 former tenant still owes $30.00." in browser.get("/tenants").text
    page = browser.get("/tenants?owing=true").text
    assert "Show all tenants" in page
    assert [f'href="/units/{one.unit_id}"' in page for one in (ann, bo, cy)] == [False, False, True]
    cut, whole = (
        office.database.read(lambda tx, most=most: statements.owed_by_former(tx, office.caller, most))
        for most in (1, 2)
    )
    assert (cut.is_cut, whole.is_cut) == (True, False)
