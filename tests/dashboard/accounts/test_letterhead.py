"""Tests of the logo and the color that an owner chooses.

They appear on invoices and on tenants' pages until they are removed.
"""

import io

import pypdfium2
import pytest
from PIL import Image

from prorata.actions.accounts import letterheads
from prorata.domain.accounts.letterheads import Letterhead
from prorata.store.audit.audit import Caller
from tests.adapters.files.test_logos import SVG, picture
from tests.dashboard.conftest import Office
from tests.dashboard.sent_files import send
from tests.dashboard.tenants import page_of, sent

HERE, RED = "/settings/letterhead", (200, 10, 10)
LOGO = picture(300, 100, color=RED)


def chosen(office: Office, account: str | None = None) -> Letterhead:
    caller = Caller(account or office.account_id, "cli")
    return office.database.read(lambda tx: letterheads.the_letterhead(tx, caller))


def colors_of(pdf: bytes) -> set[tuple[int, ...]]:
    """The colors of the first page, as rendered."""
    with pypdfium2.PdfDocument(pdf) as document:
        shown: Image.Image = document[0].render(scale=1).to_pil().convert("RGB")
    return {color for _, color in shown.getcolors(1_000_000) or []}  # type: ignore[misc]


def test_a_logo_is_on_invoices_of_before_and_on_the_tenants_page_until_it_is_taken_off(office: Office) -> None:
    (one,) = sent(office, "1")
    owner, tenant, at = office.browser("owner"), office.browser(), page_of(office, one.id)
    before = owner.get(f"/invoices/{one.id}/pdf").content
    assert RED not in colors_of(before)
    assert "data:image/png" not in tenant.get(at).text
    assert send(owner, LOGO, f"{HERE}/logo").status_code == 303
    assert "data:image/png;base64," in owner.get(HERE).text
    assert RED in colors_of(owner.get(f"/invoices/{one.id}/pdf").content)
    assert RED in colors_of(tenant.get(f"{at}/pdf").content)
    assert "data:image/png;base64," in tenant.get(at).text
    assert chosen(office, office.stranger_id) == Letterhead()
    owner.post(f"{HERE}/logo/remove", {})
    assert owner.get(f"/invoices/{one.id}/pdf").content == before


def test_the_e_mail_is_shown_with_the_logo_and_the_color_that_it_has(office: Office) -> None:
    (one,) = sent(office, "1")
    owner, at = office.browser("owner"), f"/invoices/{one.id}/mail"
    usual = owner.get(at).text
    assert 'fill="#1d4ed8"' in usual
    assert "data:image/png" not in usual
    send(owner, LOGO, f"{HERE}/logo")
    owner.post(HERE, {"color": "#C00000"})
    own = owner.get(at).text
    assert 'fill="#c00000"' in own
    assert '<p class="logo"><img src="data:image/png;base64,' in own


def test_a_color_is_that_of_headings_and_of_a_bar(office: Office) -> None:
    (one,) = sent(office, "1")
    owner = office.browser("owner")
    assert owner.post(HERE, {"color": " #C00000 "}).status_code == 303
    assert 'value="#c00000"' in owner.get(HERE).text
    assert (192, 0, 0) in colors_of(owner.get(f"/invoices/{one.id}/pdf").content)
    assert 'fill="#c00000"' in office.browser().get(page_of(office, one.id)).text
    owner.post(HERE, {"color": ""})
    assert chosen(office) == Letterhead()
    assert '<svg class="from-bar"' not in office.browser().get(page_of(office, one.id)).text


@pytest.mark.parametrize(
    ("color", "why"),
    [("#ffcc00", "too pale to read on white"), ("red", "Enter the color as #"), ("#12345", "Enter the color as #")],
)
def test_a_color_that_can_not_be_read_is_refused(quick_office: Office, color: str, why: str) -> None:
    answer = quick_office.browser("owner").post(HERE, {"color": color})
    assert (answer.status_code, why in answer.text, f'value="{color}"' in answer.text) == (400, True, True)
    assert chosen(quick_office) == Letterhead()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"no picture", "picture can’t be read"),
        (SVG, "picture can’t be read"),
        (picture(20, 20), "too small"),
        (None, "Choose a picture"),
    ],
)
def test_what_is_no_logo_is_refused_beside_the_field(quick_office: Office, content: bytes | None, why: str) -> None:
    answer = send(quick_office.browser("owner"), content, f"{HERE}/logo")
    assert (answer.status_code, why in answer.text) == (400, True)
    assert chosen(quick_office) == Letterhead()


def test_a_logo_that_is_too_large_to_be_sent_is_refused(quick_office: Office) -> None:
    answer = send(quick_office.browser("owner"), LOGO + bytes(6 * 1024 * 1024), f"{HERE}/logo")
    assert answer.status_code == 413
    assert chosen(quick_office) == Letterhead()


def test_only_owners_choose_and_activity_says_who_did(quick_office: Office) -> None:
    manager, owner = quick_office.browser("manager"), quick_office.browser("owner")
    assert manager.get(HERE).status_code == 403
    assert manager.post(HERE, {"color": "#c00000"}).status_code == 403
    assert send(manager, LOGO, f"{HERE}/logo").status_code == 403
    send(owner, LOGO, f"{HERE}/logo")
    owner.post(HERE, {"color": "#c00000"})
    page = owner.get("/activity").text
    assert page.count("changed settings Harbor Rentals") == 2
    assert "c00000" in page
    small = quick_office.database.read(lambda tx: letterheads.the_letterhead(tx, quick_office.caller)).logo
    assert small is not None
    assert Image.open(io.BytesIO(small)).size == (300, 100)
