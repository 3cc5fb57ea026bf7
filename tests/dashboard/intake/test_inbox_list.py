"""Searching, sorting and paging the list of files in the inbox."""

import re

import pytest

from prorata.actions.intake import documents
from prorata.actions.limits import MOST_DOCUMENTS_SEARCHED
from prorata.domain.intake.bill_reading.draft import UNREAD, found
from prorata.store.database.engine import Tx
from prorata.store.intake import documents as stored
from tests.dashboard.conftest import Browser, Office, build_office

NAMES = ("aqua march.pdf", "volt march.pdf", "scan 0001.pdf", "aqua april.pdf")


def brought(office: Office, *names: str) -> None:
    """Add files with these names that wait to be read.

    The third one has been read, and names its issuer.
    """

    def keep(tx: Tx) -> None:
        rows = [documents.take(tx, office.caller, name, name.encode(), "upload").row for name in names]
        for row in rows[2:3]:
            documents.note_draft(tx, office.account_id, row.id, UNREAD._replace(issuer=found("Aqua Water Co.")))

    office.database.write(keep)


def listed(browser: Browser, address: str) -> list[str]:
    return re.findall(r'class="strong wrap"[^>]*>([^<]+)<', browser.get(address).text)


def test_files_are_found_by_their_name_and_by_who_sent_the_bill_in_either_order(office: Office) -> None:
    brought(office, *NAMES)
    browser = office.browser("viewer")
    newest_first = ["aqua april.pdf", "scan 0001.pdf", "aqua march.pdf"]
    assert listed(browser, "/inbox") == list(reversed(NAMES))
    assert listed(browser, "/inbox?search=AQUA") == newest_first
    assert listed(browser, "/inbox?search=aqua&sort=oldest") == newest_first[::-1]
    assert listed(browser, "/inbox?search=mar+aqu") == ["aqua march.pdf"]
    assert listed(browser, "/inbox?search=aqua&show=aside") == []
    for nothing in ("qua", "!"):
        assert "Nothing found" in browser.get(f"/inbox?search={nothing}").text


def test_each_page_of_the_list_begins_where_the_one_before_ended(quick_office: Office) -> None:
    brought(quick_office, *(f"bill {number:02d}.pdf" for number in range(60)))
    browser = quick_office.browser("viewer")
    for wish, names in (("", range(59, -1, -1)), ("sort=oldest&", range(60)), ("search=bill&", range(59, -1, -1))):
        first = browser.get(f"/inbox?{wish}").text
        behind = re.search(r'href="/inbox(\?[^"]*behind=[^"]*)"', first)
        assert behind is not None
        rest = listed(browser, "/inbox" + behind[1].replace("&amp;", "&"))
        assert listed(browser, f"/inbox?{wish}") + rest == [f"bill {number:02d}.pdf" for number in names]


def test_a_search_says_how_far_it_looked(quick_office: Office) -> None:
    def keep(tx: Tx) -> None:
        first = documents.take(tx, quick_office.caller, "first.pdf", b"first", "upload").row
        for number in range(MOST_DOCUMENTS_SEARCHED):
            row = first._replace(id=tx.new_id("doc"), name=f"volt {number}.pdf", digest=f"{number:064d}")
            stored.add(tx, row, b"x")

    quick_office.database.write(keep)
    browser = quick_office.browser("viewer")
    page = browser.get("/inbox?search=first").text
    assert "Searched the newest 500 files." in page
    assert 'href="/bills?search=first"' in page
    assert listed(browser, "/inbox?search=first&sort=oldest") == ["first.pdf"]


@pytest.mark.parametrize(
    ("reads", "said"),
    [(True, "Photos and scans of paper bills are also read here."), (False, "kept and shown here, but not read")],
)
def test_the_inbox_says_whether_scans_are_read_here(migrated_sqlite_url: str, *, reads: bool, said: str) -> None:
    built = build_office(migrated_sqlite_url, reads_pictures=reads)
    with built.live():
        assert said in built.browser("manager").get("/inbox").text
