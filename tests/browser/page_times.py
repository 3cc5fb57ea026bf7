"""The time that each page takes to load in a browser, for 300 let units.

The command lists the times. `python -m tests.browser.page_times` serves an account of 12 properties with a year of
bills and invoices from SQLite. It opens every page six times in headless Chromium, and takes the median of the last
five times from the navigation to the load event.
"""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, Page

from benchmarks import data, lists_data
from benchmarks.data import Clock, Shape
from prorata import wiring
from prorata.actions.bills import bills
from prorata.actions.invoices import invoices, lists as invoice_lists, tenant_links
from prorata.actions.invoices.lists import Wish
from prorata.actions.invoices.tenant_links import TenantLinks
from prorata.actions.properties import tenants, units
from prorata.adapters.passwords import Argon2Passwords
from prorata.domain.billing_calendar import month_of
from prorata.domain.invoice_states import DRAFT, PAID, SENT
from prorata.domain.invoices.tenant_links import PATH
from prorata.store.database.engine import Tx
from prorata.store.invoices import invoices as stored_invoices
from tests.browser.conftest import DESK, Visitor, open_chromium
from tests.browser.every_page import ASKED_FOR, EXPECTED, FOR_GUESTS, FOR_PEOPLE, Records, address, made_for
from tests.browser.landlord import PASSWORD, Landlord
from tests.cli.running import Command

MOST_MILLISECONDS = 300
TIMES = 5
PORTFOLIO = Shape("pages", (25,) * 12, 12, 11)
"""Twelve properties of 25 units, and twelve months, of which the newest is open."""
BILLS_A_MONTH = 4
PAGES = [*FOR_PEOPLE, *ASKED_FOR, *FOR_GUESTS, "/nowhere"]
"""Every page but those that only a form leads to: they are answers, and nobody opens them."""
TENANT_PAGE = "the page of a tenant"
_OF_ONE_INVOICE = ("{charge}", "{payment}")
"""The records that only one invoice of the landlord's first property has.

Their addresses name that invoice.
"""
_LOADED = "performance.getEntriesByType('navigation')[0].loadEventStart"


class PageTime(NamedTuple):
    """The route of a page, and its load time in milliseconds: median, least and most."""

    page: str
    median: float
    least: float
    most: float


class Office(NamedTuple):
    """The landlord of 300 units, and the same landlord's first property of two units.

    `landlord` names the records of one of the large properties, and `first` those of the first property.
    """

    first: Landlord
    landlord: Landlord
    records: Records
    tenant_page: str

    def address(self, page: str) -> str:
        """Return the address of a page."""
        if page == TENANT_PAGE:
            return self.tenant_page
        is_of_one = any(name in page for name in _OF_ONE_INVOICE)
        return address(page, self.first if is_of_one else self.landlord, self.records)


def first_month(today: date) -> date:
    """The first day of the oldest month, if the newest month is today's."""
    first = today.replace(day=1)
    for _ in range(PORTFOLIO.months - 1):
        first = (first - timedelta(days=1)).replace(day=1)
    return first


@contextmanager
def office_of_300_units(folder: Path) -> Iterator[Office]:
    """The landlord of 300 units, whose account is on a running server."""
    command = Command(folder, PRORATA_PAYMENTS="sandbox")
    first = Landlord(command, Argon2Passwords().hash(PASSWORD))
    records = made_for(first)
    landlord = copy(first)
    tenant_page = _grow(landlord)
    with command.serving() as server:
        first.url = landlord.url = server.url
        yield Office(first, landlord, records, tenant_page)


def _grow(landlord: Landlord) -> str:
    """Give the landlord 12 properties and a year of bills and invoices.

    Pages then name one of these properties. Return the address of a tenant's page.
    """
    today = datetime.now(UTC).date()
    signer = wiring.tenant_links(landlord.settings)
    with wiring.made(landlord.settings) as database:
        now, database.clock = database.clock, Clock(datetime.now(UTC))
        landlord.property, *_ = data.live(database, database.clock, landlord.caller, PORTFOLIO, first_month(today))
        database.clock = now
        landlord.month = month_of(today)
        return database.write(lambda tx: _filled(tx, landlord, signer))


def _filled(tx: Tx, landlord: Landlord, signer: TenantLinks) -> str:
    """Fill the lists of files, messages, payments and tasks.

    Return the address of the tenant's page for a sent invoice.
    """
    caller, its = landlord.caller, landlord.property.id
    paid = invoice_lists.ids_of(tx, caller, Wish({"status": PAID}), most=PORTFOLIO.invoices)
    lists_data.fill(tx, caller.account_id, BILLS_A_MONTH * len(PORTFOLIO.properties) * PORTFOLIO.months, paid)
    landlord.unit = next(one for one in units.all_of(tx, caller, its) if tenants.of_unit(tx, caller, one.id))
    (landlord.tenant,) = tenants.of_unit(tx, caller, landlord.unit.id)
    landlord.bill = next(one for one in bills.page(tx, caller, limit=100, offset=0)[0] if one.property_id == its)
    landlord.invoice_id, sent = invoice_lists.ids_of(tx, caller, Wish({"property": its, "status": DRAFT}), most=2)
    invoices.set_status(tx, caller, sent, SENT)
    row = stored_invoices.find(tx, caller.account_id, sent)
    assert row is not None
    link = tenant_links.link_to(tx, row)
    assert link is not None
    return f"{PATH}{signer.token(link)}"


def time_of(page: Page, name: str, url: str) -> PageTime:
    """Open a page once to warm up, and five more times to measure it."""
    taken = []
    for _ in range(TIMES + 1):
        answer = page.goto(url)
        assert answer is not None
        assert answer.status == EXPECTED.get(name, 200), (name, answer.status)
        taken.append(float(page.evaluate(_LOADED)))
    _, *counts = taken
    counts.sort()
    return PageTime(name, counts[TIMES // 2], counts[0], counts[-1])


def times(chromium: Browser, office: Office) -> Iterator[PageTime]:
    """Measure each page, including the pages of guests and of a tenant."""
    guest, person = (Visitor(chromium.new_context(viewport=DESK), office.landlord.url) for _ in range(2))
    person.sign_in()
    for name in [*PAGES, TENANT_PAGE]:
        who = guest if name in FOR_GUESTS or name == TENANT_PAGE else person
        yield time_of(who.page, name, who.url + office.address(name))
    for who in (guest, person):
        who.context.close()


def main() -> int:
    """List the pages, the slowest first, and name those that take too long.

    Return 1 if any page takes too long.
    """
    with (
        tempfile.TemporaryDirectory() as folder,
        office_of_300_units(Path(folder) / "office") as office,
        open_chromium() as chromium,
    ):
        found = sorted(times(chromium, office), key=lambda one: -one.median)
    sys.stdout.writelines(f"{one.median:>6.0f} ms ({one.least:.0f} to {one.most:.0f})  {one.page}\n" for one in found)
    slow = [one.page for one in found if one.median > MOST_MILLISECONDS]
    sys.stdout.write(f"{len(found)} pages, {len(slow)} of them over {MOST_MILLISECONDS} ms{': ' if slow else '.'}")
    sys.stdout.write(f"{', '.join(slow)}\n")
    return bool(slow)


if __name__ == "__main__":
    sys.exit(main())
