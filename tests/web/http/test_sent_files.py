"""Forms with files are read as strictly as JSON.

The boundary between their parts does not matter.
"""

from typing import Any

import httpx
import msgspec
import pytest
from msgspec import UNSET, UnsetType

from prorata.errors import InvalidRequest
from prorata.web.http.decoding import read_query
from prorata.web.http.request_schemas import Body
from prorata.web.http.sent_files import FileSent, disposition, fields_of, said_by


class Sent(Body):
    """A form with a file and the property that it is for."""

    file: FileSent
    property_id: str | UnsetType = UNSET


def read(body: bytes, kind: str) -> Sent:
    return read_query(fields_of(body, kind, 1_000_000), Sent, "field")


def form(boundary: str = "x", **parts: Any) -> tuple[bytes, str]:
    """The body and content type of a form, made by httpx from files and fields."""
    kind = f"multipart/form-data; boundary={boundary}"
    files = {name: value if isinstance(value, tuple) else (None, value) for name, value in parts.items()}
    return httpx.Request("POST", "http://x", files=files, headers={"Content-Type": kind}).read(), kind


def test_a_file_and_a_field_are_read() -> None:
    sent = read(*form(file=("März.pdf", b"%PDF\r\n\x00--x"), propertyId="prop_1"))
    assert (sent.file.name, sent.file.content, sent.property_id) == ("März.pdf", b"%PDF\r\n\x00--x", "prop_1")
    assert read(*form(file=("a.pdf", b""))).property_id is UNSET


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"propertyId": "prop_1"}, "`file` is required."),
        ({"file": "no file"}, "`file` must be a file."),
        ({"file": ("a", b"a"), "propertyId": ("b", b"b")}, "`propertyId` must be text."),
        ({"file": ("a", b"a"), "property": "x"}, "`property` is not a known field; the fields are file, propertyId."),
    ],
)
def test_what_is_not_as_described_is_named(parts: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        read(*form(**parts))
    assert [problem.message for problem in refused.value.problems] == [said]


def test_a_field_that_is_given_twice_is_refused() -> None:
    body, kind = form(file=("a", b"a"))
    with pytest.raises(InvalidRequest, match="`file` is given more than once"):
        read(body.removesuffix(b"--x--\r\n") + body, kind)


@pytest.mark.parametrize("kind", ["multipart/form-data", "multipart/form-data; boundary=y"])
def test_a_form_without_its_boundary_is_refused(kind: str) -> None:
    with pytest.raises(InvalidRequest, match="can't be read as multipart form data"):
        read(form(file=("a", b"a"))[0], kind)


def test_the_same_fields_and_files_say_the_same_whatever_the_boundary() -> None:
    one, same, other = (
        said_by(read(*form(boundary, file=("a.pdf", content))))
        for boundary, content in (("x", b"a"), ("another", b"a"), ("x", b"b"))
    )
    assert one == same != other
    assert msgspec.json.decode(one)["file"][0] == "a.pdf"


def test_a_name_in_any_script_is_a_header() -> None:
    assert disposition('Mär"z.pdf\r\n') == b"attachment; filename*=UTF-8''M%C3%A4r%22z.pdf%0D%0A"
