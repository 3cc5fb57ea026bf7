"""Functions that submit forms with files as a browser does."""

import re
from html import unescape

import httpx

from tests.dashboard.conftest import OWN_SITE, Browser

_TOKEN = re.compile(r'name="form_token" value="([0-9a-f]+)"')


def send(browser: Browser, content: bytes | str | None, path: str, **fields: str) -> httpx.Response:
    """Submit a form with a file, or without one if `content` is None."""
    token = _TOKEN.search(browser.get("/import/units").text)
    assert token is not None
    files = {"file": ("bills.csv", content)} if content is not None else None
    sent = {"form_token": token[1]} | fields
    return browser.client.post(path, data=sent, files=files, headers=OWN_SITE, follow_redirects=False)


def held(answer: httpx.Response) -> dict[str, str]:
    """The fields of the page that are to be sent back."""
    return {name: answer.text.split(f'name="{name}" value="')[1].split('"')[0] for name in ("name", "packed")}


def kept(answer: httpx.Response, **fields: str) -> dict[str, str]:
    """The hidden fields on the page of a file of former charges, with `fields` added."""
    names = ("name", "packed", "line", "mapping")
    found = {name: re.findall(rf'<input type="hidden" name="{name}" value="([^"]*)"', answer.text) for name in names}
    return {name: unescape(its[-1]) for name, its in found.items()} | fields
