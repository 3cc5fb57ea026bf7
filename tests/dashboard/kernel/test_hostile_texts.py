"""Pages, answers and files show a hostile text as plain text.

The text looks like something else, such as markup, and is in every field that accepts text.
"""

import re
from collections.abc import Iterator
from typing import get_type_hints

import httpx
import pytest

from prorata.web.api import OPERATIONS
from prorata.web.dashboard import PAGES
from tests.conftest import SOAK
from tests.dashboard.hostile import TEXTS, Scene, a_scene, fields_without
from tests.web.addresses import kind_of
from tests.web.conftest import Api

_NOT_MADE = ("{session}", "{delivery}", "{link}", "{token}")
_NOT_THERE = ("/inbox/{document}/pages/{number}", "/invoices/{invoice}/pdf-as-sent", "/invoices/changes/{change}/undo",
              "/tenants/{tenant}/erase", "/invoices/{invoice}/reminders/{message}")  # fmt: skip
"""A page of a damaged PDF; a file of an invoice that was never mailed; what changed nothing and can't be undone; a
tenant who still lives there; a reminder that was never sent.
"""
_OF = {
    "property": "{id}",
    "split method": "{method}",
    "utility bill": "{bill}",
    "webhook endpoint": "{endpoint}",
    "API key": "{key}",
    "change of invoices": "{change}",
    "payments file": "{file}",
    "charge file": "{export}",
    "message": "{mail}",
}
"""The scene's placeholders for records of the API."""
_OF_A_SYSTEM = ("/charge-files", "/charge-files/next", "/charge-names")
_OF_NONE = ("invitation", "job", "bulk", "question")
"""Records that the scene has none of."""


def every_page(scene: Scene) -> Iterator[str]:
    """Yield the addresses of all pages that a person opens.

    Pages with a search also appear with a search for the text.
    """
    for page in PAGES:
        if (
            page.method != "GET"
            or page.may is None
            or page.path in _NOT_THERE
            or any(one in page.path for one in _NOT_MADE)
        ):
            continue
        is_table = page.path.endswith("/table")
        path = scene.address(page.path.replace("{document}", "{table}") if is_table else page.path)
        yield path
        if page.query and "search" in get_type_hints(page.query):
            yield f"{path}?search"
    yield scene.tenant_page
    yield f"{scene.tenant_page}/pdf"


def every_answer(scene: Scene) -> Iterator[tuple[str, httpx.Response]]:
    """Yield the path and the API's response for each operation that only reads."""
    api = Api(scene.browser.client, scene.key)
    known = scene.known | {"{share rule}": api.get(f"/properties/{scene.known['{id}']}/sharerules").json()[0]["id"]}
    for operation in OPERATIONS:
        kind = kind_of(operation)
        is_made = "{" not in operation.path or kind not in _OF_NONE
        if operation.method == "GET" and "{month}" not in operation.path and is_made:
            path = re.sub(r"{\w+}", known.get(_OF.get(kind, f"{{{kind}}}"), ""), operation.path)
            needs = f"?system={scene.known['{system}']}" if path in _OF_A_SYSTEM else ""
            yield path, api.get(f"{path}{needs}{'&month=2026-02' if path.endswith('/next') else ''}")


@pytest.mark.parametrize("text", TEXTS if SOAK else TEXTS[::3])
@pytest.mark.thorough
def test_every_page_answer_and_file_shows_such_a_text_as_what_it_is(migrated_sqlite_url: str, text: str) -> None:
    scene = a_scene(migrated_sqlite_url, text)
    failed = []
    with scene.office.live():
        for path in every_page(scene):
            query = {"search": text[:255]} if path.endswith("?search") else {}
            answer = scene.browser.client.get(path.partition("?")[0], params=query, headers={"Accept": "text/html"})
            shown = answer.text if "html" in answer.headers["content-type"] else ""
            if answer.status_code != 200 or "can’t be shown" in shown or "<script>alert" in shown:
                failed.append((path, answer.status_code))
        failed += [(path, answer.status_code) for path, answer in every_answer(scene) if answer.status_code != 200]
    assert failed == []


@pytest.mark.thorough
def test_the_text_stands_in_every_column_of_free_text(migrated_sqlite_url: str) -> None:
    scene = a_scene(migrated_sqlite_url, TEXTS[0])
    with scene.office.live():
        assert " ".join(fields_without(scene.url, TEXTS[0])) == ""
