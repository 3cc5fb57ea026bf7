"""The bodies of forms are parsed as browsers write them.

Parsing a body holds up no other request, whoever sent it.
"""

import asyncio
import gc
import time
from collections.abc import Iterator
from urllib.parse import parse_qsl, urlencode

import pytest
from hypothesis import given, strategies as st

from prorata.errors import InvalidRequest
from prorata.web.dashboard.kernel.form_bodies import taken_apart
from prorata.web.http.limits import (
    MOST_BYTES_WITH_KEPT_FORM,
    MOST_FIELDS,
    MOST_FORM_PARTS,
    MOST_UPLOAD_FORM_BYTES,
    MOST_WEIGHTS_FORM_BYTES,
)
from tests.dashboard.conftest import Office
from tests.pace import slowness

TYPED = "application/x-www-form-urlencoded"
IN_PARTS = "multipart/form-data; boundary=b"
AT_MOST = 0.08
"""Seconds of CPU for which a form may hold up everybody else."""
_PART = b'--b\r\nContent-Disposition: form-data; name="f%d"%b\r\n\r\n'


@given(st.lists(st.tuples(st.text(min_size=1), st.text())))
@pytest.mark.thorough
def test_fields_are_read_as_a_browser_writes_them(pairs: list[tuple[str, str]]) -> None:
    sent = urlencode(pairs, errors="surrogatepass").encode()
    try:
        expected = parse_qsl(sent.decode(), keep_blank_values=True, errors="strict")
    except UnicodeDecodeError:
        with pytest.raises(InvalidRequest):
            taken_apart(TYPED, sent, len(sent))
        return
    assert taken_apart(TYPED, sent, len(sent)).pairs == expected


@pytest.mark.parametrize(
    "sent", [b"a=%", b"a=%4", b"a=%%41", b"a=%zz", b"a=%\nb", b"a=%\r\nb", b"a=\xe9", b"a=%e9", b"&" * MOST_FIELDS]
)
def test_what_no_browser_writes_is_refused(sent: bytes) -> None:
    with pytest.raises(InvalidRequest):
        taken_apart(TYPED, sent, len(sent))


def test_a_value_may_have_what_divides_fields() -> None:
    assert taken_apart(TYPED, b"a=1=2&&b&=c+d", 100).pairs == [("a", "1=2"), ("b", ""), ("", "c d")]


def test_a_form_with_files_has_so_many_parts_and_no_long_heads() -> None:
    whole = b"".join(_PART % (number, b"") + b"v\r\n" for number in range(MOST_FORM_PARTS)) + b"--b--\r\n"
    assert len(taken_apart(IN_PARTS, whole, len(whole)).pairs) == MOST_FORM_PARTS
    for refused in (_PART % (0, b"") + b"v\r\n" + whole, whole.replace(b'"f0"', b'"f0"' + b"; a=b" * 500)):
        with pytest.raises(InvalidRequest):
            taken_apart(IN_PARTS, refused, len(refused))


def seconds_held_up(office: Office, path: str, content_type: str, body: bytes, cookie: str = "") -> tuple[int, float]:
    """The status of a form's response, and the event loop's CPU time in seconds.

    During that time, the event loop's thread answers nobody else.
    """
    messages: list[dict[str, object]] = []
    chunks: Iterator[bytes] = (body[at : at + 65_536] for at in range(0, len(body), 65_536))

    async def receive() -> dict[str, object]:
        chunk = next(chunks, None)
        return {"type": "http.request", "body": chunk or b"", "more_body": chunk is not None}

    async def send(message: dict[str, object]) -> None:
        messages.append(message)

    headers = {"host": "testserver.local", "sec-fetch-site": "same-origin", "content-type": content_type}
    scope = {
        "type": "http", "method": "POST", "path": path, "raw_path": path.encode(), "query_string": b"",
        "http_version": "1.1", "scheme": "http", "client": ("127.0.0.1", 1), "server": ("testserver.local", 80),
        "headers": [(name.encode(), text.encode()) for name, text in (headers | {"cookie": cookie}).items()],
    }  # fmt: skip

    async def timed() -> float:
        gc.collect()  # what earlier tests left is not what this form costs
        began = time.thread_time()
        await office.app(scope, receive, send)
        return time.thread_time() - began

    took = asyncio.run(timed())
    return int(str(messages[0]["status"])), took


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"kept=" + b"%41" * (MOST_BYTES_WITH_KEPT_FORM // 3 - 10), 403),
        (b"&".join(b"f%%41%d=%%41" % number for number in range(MOST_FIELDS)), 403),
        (b"kept=" + b"%41" * MOST_BYTES_WITH_KEPT_FORM, 413),
    ],
    ids=["one large field", "many fields", "too large"],
)
def test_a_guests_form_holds_nobody_up(quick_office: Office, body: bytes, status: int) -> None:
    answered, took = seconds_held_up(quick_office, "/sign-in", TYPED, body)
    assert answered == status
    assert took < AT_MOST * slowness()


@pytest.mark.parametrize(
    ("content_type", "body", "status"),
    [
        (TYPED, b"name=" + b"%41" * (MOST_UPLOAD_FORM_BYTES // 3 - 10), 413),
        (TYPED, b"name=" + b"%41" * (MOST_WEIGHTS_FORM_BYTES // 3 - 10), 403),
        (
            IN_PARTS,
            _PART % (1, b'; filename="a.csv"') + b"\r\n-" * (MOST_UPLOAD_FORM_BYTES // 3 - 99) + b"\r\n--b--",
            403,
        ),
        (IN_PARTS, b"".join(_PART % (at, b'; a="b"' * 200) + b"\r\n" for at in range(5_000)) + b"--b--", 400),
    ],
    ids=["typed and too large", "typed", "a file", "many parts"],
)
def test_a_form_with_a_file_holds_nobody_up(quick_office: Office, content_type: str, body: bytes, status: int) -> None:
    cookie = f"prorata={quick_office.browser('owner').client.cookies['prorata']}"
    answered, took = seconds_held_up(quick_office, "/import/units", content_type, body, cookie)
    assert answered == status
    assert took < AT_MOST * slowness()
