"""Tests of the files that pages send and receive."""

from collections.abc import Iterator

import httpx
import pytest
from msgspec import Struct

from prorata.actions.accounts import accounts
from prorata.errors import Conflict
from prorata.store.database.engine import Tx
from prorata.web.dashboard import PAGES
from prorata.web.dashboard.kernel.pages import Ask, GoTo, Page, Streamed
from prorata.web.dashboard.kernel.sessions import Cookies
from tests.dashboard.conftest import ORIGIN, OWN_SITE, Office, build_office


class Note(Struct):
    """The fields that accompany a file."""

    note: str = ""


def lines(ask: Ask[None, None]) -> Streamed:
    caller = ask.caller

    def pieces(tx: Tx) -> Iterator[bytes]:
        name = accounts.the_account(tx, caller).name
        return (f"{name};{n}\r\n".encode() for n in range(50_000))

    return Streamed("Übersicht 1.csv", "text/csv; charset=utf-8", pieces)


def breaks(_ask: Ask[None, None]) -> Streamed:
    def pieces(_tx: Tx) -> Iterator[bytes]:
        raise Conflict("Some of it is not there.")

    return Streamed("some.csv", "text/csv", pieces)


def take(ask: Ask[None, Note]) -> GoTo:
    file = ask.files.get("file")
    return GoTo("/", f"{file.name}: {len(file.content)}, {ask.form.note}" if file else "no file")


PAGES_FOR_FILES = (
    Page(lines, "GET", "/files/lines", may="read"),
    Page(breaks, "GET", "/files/some", may="read"),
    Page(take, "POST", "/files", may="write", form=Note, most_bytes=100_000),
)


@pytest.fixture
def files_office(migrated_url: str) -> Iterator[Office]:
    built = build_office(migrated_url, pages=[*PAGES, *PAGES_FOR_FILES])
    with built.live():
        yield built


def send(office: Office, who: str, content: bytes | None, **headers: str) -> httpx.Response:
    """Submit the form as a browser does.

    If the user chose no file, the browser sends one without a name.
    """
    browser = office.browser(who)
    token = browser.get("/properties").text.split('name="form_token" value="')[1].split('"')[0]
    parts = (
        f'--x\r\nContent-Disposition: form-data; name="form_token"\r\n\r\n{token}\r\n'
        '--x\r\nContent-Disposition: form-data; name="note"\r\n\r\nné\r\n'
        f'--x\r\nContent-Disposition: form-data; name="file"; filename="{"bills.csv" if content else ""}"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n"
    )
    sent = OWN_SITE | {"Content-Type": "multipart/form-data; boundary=x"} | headers
    body = parts.encode() + (content or b"") + b"\r\n--x--\r\n"
    return browser.client.post("/files", content=body, headers=sent, follow_redirects=False)


def said_next(answer: httpx.Response) -> str:
    assert answer.status_code == 303, answer.text[:500]
    return Cookies(ORIGIN).said(answer.headers["set-cookie"].partition(";")[0])[0]


# --- out -------------------------------------------------------------------------------------------------------------


def test_a_long_file_goes_out_whole_under_its_name(files_office: Office) -> None:
    answer = files_office.browser("viewer").get("/files/lines")
    assert answer.status_code == 200
    assert answer.headers["content-disposition"] == "attachment; filename*=UTF-8''%C3%9Cbersicht%201.csv"
    assert answer.headers["cache-control"] == "no-store"
    assert int(answer.headers.get("content-length", len(answer.content))) == len(answer.content), (
        "it may be sent before"
    )
    assert answer.text.splitlines()[-1] == "Harbor Rentals;49999"


def test_a_file_that_fails_before_anything_was_sent_is_a_page_that_says_so(files_office: Office) -> None:
    answer = files_office.browser("viewer").get("/files/some")
    assert answer.status_code == 409
    assert "Some of it is not there." in answer.text


# --- in --------------------------------------------------------------------------------------------------------------


def test_a_file_comes_in_beside_the_fields_of_its_form(files_office: Office) -> None:
    assert said_next(send(files_office, "manager", b"a;b\r\n" * 10_000)) == "bills.csv: 50000, né"


def test_a_form_whose_file_nobody_chose_comes_without_one(files_office: Office) -> None:
    assert said_next(send(files_office, "manager", None)) == "no file"


def test_a_file_that_is_too_large_is_refused_with_the_limit_in_words(files_office: Office) -> None:
    answer = send(files_office, "manager", b"x" * 100_001)
    assert answer.status_code == 413
    assert "97 KiB" in answer.text
    assert "<h1>Too large</h1>" in answer.text


def test_what_is_no_form_is_refused(files_office: Office) -> None:
    browser = files_office.browser("manager")
    answer = browser.client.post("/files", content=b"{}", headers=OWN_SITE | {"Content-Type": "application/json"})
    assert (answer.status_code, "use the form" in answer.text) == (415, True)
    broken = {"Content-Type": "multipart/form-data; boundary=x"}
    answer = browser.client.post("/files", content=b"--y\r\n", headers=OWN_SITE | broken)
    assert (answer.status_code, "Reload the page, and fill in the form again" in answer.text) == (400, True)


def test_a_file_of_another_site_or_a_viewer_changes_nothing(files_office: Office) -> None:
    assert send(files_office, "viewer", b"a").status_code == 403
    assert send(files_office, "manager", b"a", **{"Sec-Fetch-Site": "cross-site"}).status_code == 403
