"""Pages are fast enough for 300 let units; the command lists their times."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.page_times import MOST_MILLISECONDS, PAGES, TENANT_PAGE, office_of_300_units, times


@pytest.mark.soak
def test_every_page_is_loaded_in_300_milliseconds_where_300_units_are_let(chromium: Browser, tmp_path: Path) -> None:
    """The fastest of five loads counts, because other work on the machine only slows loads."""
    with office_of_300_units(tmp_path / "office") as office:
        found = {one.page: one.least for one in times(chromium, office)}
    assert set(found) == {*PAGES, TENANT_PAGE}
    assert {page: least for page, least in found.items() if least > MOST_MILLISECONDS} == {}
