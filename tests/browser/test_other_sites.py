"""Pages of other sites can neither change anything nor show our pages in a frame.

They cannot do so even in the browser of a person who is signed in.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Response, expect

from tests.browser.conftest import Opened
from tests.browser.landlord import Landlord


@contextmanager
def another_site(body: str, host: str = "localhost") -> Iterator[str]:
    """A page at another origin that tries to use ours.

    The host `127.0.0.1` is our own host, at another port.
    """

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield f"http://{host}:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize(("host", "has_cookies"), [("localhost", False), ("127.0.0.1", True)])
def test_a_form_of_another_site_changes_nothing_though_it_knows_the_token(
    landlord: Landlord, visit: Opened, host: str, has_cookies: bool
) -> None:
    visitor = visit()
    target = f"/properties/{landlord.property.id}/delete"
    token = visitor.go(target).locator(f"form[action='{target}'] [name='form_token']").get_attribute("value") or ""
    form = (
        f'<form method="post" action="{landlord.url}{target}"><input type="hidden" name="form_token" '
        f'value="{escape(token)}"><button>Win a prize</button></form>'
    )
    answers: list[Response] = []
    visitor.page.on("response", lambda answer: answers.append(answer))  # noqa: PLW0108 - it takes no builtin
    with another_site(form, host) as url:
        visitor.page.goto(url)
        visitor.page.get_by_role("button").click()
        visitor.page.wait_for_url(lambda address: address.startswith(landlord.url))
    answer = next(one for one in answers if one.request.method == "POST")
    assert ("prorata=" in answer.request.all_headers().get("cookie", "")) == has_cookies
    assert answer.status == (403 if has_cookies else 303)  # without a session the way leads to sign in
    expect(visitor.go("/properties").get_by_role("link", name="Maple Court")).to_be_visible()


def test_another_site_frames_no_page_of_ours(landlord: Landlord, visit: Opened) -> None:
    visitor = visit()
    with another_site(f'<iframe src="{landlord.url}/properties" name="ours"></iframe>') as url:
        visitor.page.goto(url)
        visitor.page.wait_for_timeout(300)
        frame = visitor.page.frame("ours")
        assert frame is not None
        assert "Maple Court" not in frame.content()
    assert any("frame" in complaint.lower() for complaint in visitor.complaints)
    visitor.complaints.clear()
