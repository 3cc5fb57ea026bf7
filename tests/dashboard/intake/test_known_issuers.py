"""Tests of the lessons about known issuers.

A member can see, delete and download them, and import those of another account.
"""

from functools import cache
from typing import Any
from urllib.parse import quote

import httpx
import msgspec
import pytest

from prorata.actions.intake import page_lessons
from prorata.domain.intake.pointing.learning import learned
from prorata.domain.intake.pointing.lessons import Anchor, PageLesson, Shown, Taught
from prorata.domain.intake.pointing.line_rules import Rule
from prorata.domain.search_terms import folded
from tests.bill_pdfs.facts import facts_of
from tests.bill_pdfs.layouts import LAYOUTS
from tests.bill_pdfs.printing import printed
from tests.dashboard.conftest import OWN_SITE, Browser, Office
from tests.dashboard.intake.test_inbox import _TOKEN
from tests.pdf_pages import read_pdf

LAYOUT = next(one for one in LAYOUTS if one.locale == "en-US" and one.name == "dashed and lined")
FACTS = facts_of("en-US", 3, kinds="WATER SEWER", story="plain")
FILE = "/inbox/issuers.json"


@cache
def lesson() -> PageLesson:
    shown = Shown(
        ISSUER, {"account_number": FACTS.account}, {"bill_date": FACTS.billed, "due_date": FACTS.due},
        FACTS.total, tuple((FACTS.lines or {}).items()),
    )  # fmt: skip
    return learned(read_pdf(printed(FACTS, LAYOUT)), shown)


ISSUER = "Aqua & Söhne/Water"
KEY = folded(ISSUER)


def taught(office: Office) -> None:
    office.database.write(lambda tx: page_lessons.keep(tx, office.account_id, lesson()))


def known(office: Office) -> PageLesson | None:
    return office.database.read(lambda tx: page_lessons.of_issuer(tx, office.account_id, lesson().issuer))


def test_what_was_learned_is_shown_beside_which_words_each_value_stands(office: Office) -> None:
    browser = office.browser("viewer")
    assert "None yet" in browser.get("/inbox/issuers").text
    taught(office)
    assert "Aqua &amp; Söhne/Water" in browser.get("/inbox/issuers").text
    page = browser.get(f"/inbox/issuer?issuer={quote(KEY)}").text
    assert "Learned from 1 bill." in page
    assert "acct. number" in page
    assert ": Water" in page
    assert "Forget" not in page, "a viewer changes nothing"
    assert browser.get("/inbox/issuer?issuer=nobody").status_code == 404


def test_one_value_or_all_of_an_issuer_is_forgotten(office: Office) -> None:
    browser = office.browser("manager")
    taught(office)
    there = browser.get(f"/inbox/issuer?issuer={quote(KEY)}")
    assert there.status_code == 200
    for field in ("due_date", "lines"):
        assert browser.post("/inbox/issuer", {"issuer": KEY, "field": field}).status_code == 303
    after = known(office)
    assert after is not None
    assert "due_date" not in after.layouts[0].fields
    assert "bill_date" in after.layouts[0].fields
    assert after.layouts[0].lines == ()
    assert browser.post("/inbox/issuer", {"issuer": KEY, "field": "colour"}).status_code == 404
    assert browser.post("/inbox/issuer", {"issuer": KEY}).status_code == 303
    assert known(office) is None
    activity = browser.get("/activity").text
    assert "deleted what was learned from an issuer" in activity


def test_what_was_learned_is_downloaded_without_account_numbers_and_taken_by_others(office: Office) -> None:
    browser = office.browser("manager")
    taught(office)
    file = browser.get(FILE)
    assert FACTS.account.replace(" ", "") not in file.text.replace(" ", "")
    again = send(browser, file.content)
    assert "One was already known" in browser.get(again.headers["location"]).text
    browser.post("/inbox/issuer", {"issuer": KEY})
    taken = send(browser, file.content)
    assert "1 company was imported from the file." in browser.get(taken.headers["location"]).text
    assert known(office) == lesson()._replace(accounts=())
    assert browser.get(FILE).content == file.content


def send(browser: Browser, content: bytes) -> httpx.Response:
    token = _TOKEN.search(browser.get("/inbox/issuers").text)
    data, files = {"form_token": token[1] if token else ""}, [("file", ("issuers.json", content))]
    return browser.client.post("/inbox/issuers", data=data, files=files, headers=OWN_SITE, follow_redirects=False)


def changed(**parts: Any) -> bytes:
    return msgspec.json.encode({"prorata": 1, "issuers": [lesson()]} | parts)


def with_layout(**parts: Any) -> bytes:
    first = lesson().layouts[0]._replace(**parts)
    return changed(issuers=[lesson()._replace(layouts=(first,))])


def anchors(number: int) -> dict[str, Taught]:
    return {"total": Taught(tuple(Anchor(1, "total", "", at, 0) for at in range(number)))}


@pytest.mark.parametrize(
    "content",
    [
        b"", b"[]", b"\xff\xfe", changed(prorata=2), changed(color="red"), changed(issuers=[["", [], [], []]]),
        changed(issuers=[["x" * 300, [], [], []]]), changed(issuers=[["Aqua", [], ["MOONLIGHT"], []]]),
        changed(issuers="Aqua"), b"{" * 5_000,
        changed(issuers=[lesson()._replace(issuer="Aqua\x00Water")]), with_layout(bills=10**4_000), with_layout(bills=0),
        with_layout(marks=tuple(f"{number}.com" for number in range(5_000))), with_layout(fields=anchors(1_000)),
        with_layout(fields={"total": Taught((Anchor(1, "total", "", 10**30, 0),))}),
        with_layout(lines=(tuple(Rule(f"row {number}", "WATER", 1, 0) for number in range(1_000)),)),
    ],
)  # fmt: skip
def test_what_is_no_such_file_is_refused_with_a_sentence_and_nothing_is_taken(office: Office, content: bytes) -> None:
    browser = office.browser("manager")
    answer = send(browser, content)
    assert answer.status_code == 400
    assert "This is not a file of known companies" in answer.text
    assert known(office) is None
