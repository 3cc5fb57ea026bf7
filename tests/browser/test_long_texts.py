"""Long texts and amounts make no page wider than its window.

The texts have no spaces. Amounts of ten digits fit into their tiles.
"""

from datetime import date

from prorata import wiring
from prorata.actions.bills import bills
from prorata.actions.invoices.lists import Wish, ids_of
from prorata.actions.properties import properties, tenancy_changes
from prorata.actions.properties.tenancy_changes import FirstTenant
from prorata.domain.bills.bills import NewBill
from prorata.store.database.engine import Tx
from tests.browser.conftest import Opened
from tests.browser.landlord import MAPLE, Landlord

LONG = "Donaudampfschifffahrtsgesellschaftskapitaen" * 5
OUTSIDE = "tile => [...tile.children].some(one => one.scrollWidth > one.clientWidth + 1)"


def long_texts(landlord: Landlord) -> list[str]:
    """The addresses of the pages of a property on which everything is long."""

    def add(tx: Tx) -> None:
        its = properties.create(tx, landlord.caller, MAPLE._replace(name=LONG, street=LONG))
        who = FirstTenant(LONG, "a.very.long.address.of.somebody@example.org")
        unit = tenancy_changes.add_unit(tx, landlord.caller, its.id, {"label": "1"}, who)
        bill = NewBill(its.id, LONG, ("WATER",), 9_999_999_999_99, date(2026, 3, 20))
        (made,) = bills.add(tx, landlord.caller, [bill]).bills
        ids.extend((its.id, unit.id, made.id))

    ids: list[str] = []
    with wiring.made(landlord.settings) as database:
        database.write(add)
        its, unit, bill = ids
        (invoice,) = database.read(lambda tx: ids_of(tx, landlord.caller, Wish({"property": its}), most=1))
    of_its = [f"/properties/{its}{rest}" for rest in ("", "/bills", "/months", "/months/2026-03", "/rules/water")]
    return [*of_its, f"/units/{unit}", f"/bills/{bill}", f"/invoices/{invoice}"]


def test_no_page_is_wider_than_its_window(landlord: Landlord, visit: Opened) -> None:
    paths = ["/?month=2026-03", "/properties", "/tenants", "/bills", "/invoices", "/activity", *long_texts(landlord)]
    wide = []
    for is_phone in (True, False):
        visitor = visit(phone=is_phone)
        for path in paths:
            page = visitor.go(path)
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                wide.append((is_phone, path))
            tiles = page.locator(".figures > div").all() if is_phone else []
            wide += [(is_phone, path, tile.inner_text()) for tile in tiles if tile.evaluate(OUTSIDE)]
    assert not wide
