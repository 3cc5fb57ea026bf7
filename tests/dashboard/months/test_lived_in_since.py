"""A unit whose tenant is entered only after its month was sent as vacant."""

import re

from prorata.actions.invoices import invoices
from prorata.actions.properties import units
from tests.dashboard.bills.test_bills import add, lived_in
from tests.dashboard.conftest import Office


def test_a_draft_of_a_unit_that_was_not_vacant_after_all_counts_nowhere_as_vacant(office: Office) -> None:
    maple = lived_in(office)
    empty = office.database.write(lambda tx: units.create(tx, office.caller, maple.id, {"label": "3"}))
    add(office, maple)
    first, browser = _first(office), office.browser("owner")
    browser.post(f"/invoices/{first}/do/send", {"seen": ""})
    here = f"/properties/{maple.id}/months"

    def shown(path: str) -> str:
        return " ".join(re.sub(r"<[^>]+>", " ", browser.get(path).text).split())

    assert "$90.01 $30.00 of it for vacant units" in shown(here)
    assert "Vacant: your own cost" in shown(f"{here}/2026-03")
    assert "1 is for a vacant unit and stays a draft" in shown(f"{here}/2026-03/send")
    assert "1 of them for a vacant unit" in shown("/?month=2026-03")
    browser.post(f"/units/{empty.id}/tenants/new", {"name": "Li Chen", "moveInDate": "2026-03-16"})
    for page in (here, "/months?only=all"):
        assert "for vacant units" not in shown(page)
        assert "$60.01 corrections +$15.48" in shown(page)
    for page in (f"{here}/2026-03", f"/invoices?property={maple.id}&month=2026-03"):
        assert "Vacant: your own cost" not in shown(page)
        assert "Not vacant after all: the tenant’s share is a correction" in shown(page)
    assert "for a vacant unit" not in shown(f"{here}/2026-03/send")
    assert "for a vacant unit" not in shown("/?month=2026-03")


def _first(office: Office) -> str:
    shown, _ = office.database.read(lambda tx: invoices.page(tx, office.caller, {}, limit=100, offset=0, details=False))
    return min(shown, key=lambda one: one.summary.number).summary.id
