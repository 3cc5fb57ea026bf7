"""The forms of values in the API's responses."""

import re

import httpx

from prorata.ids import is_id
from tests.web.addresses import assert_refused

_TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
LONG_AND_WIDE = "Ä🏠 "
"""Repeated it is text whose characters are one, two and four bytes of UTF-8."""


def is_timestamp(value: object) -> bool:
    """Check whether a value is UTC time with milliseconds: `2026-03-01T00:00:00.000Z`."""
    return isinstance(value, str) and _TIMESTAMP.fullmatch(value) is not None


def has_prefix(value: object, prefix: str) -> bool:
    """Check whether a value is an id with this prefix."""
    return isinstance(value, str) and is_id(value, prefix)


def text_of(length: int) -> str:
    """Text of this length that begins and ends with a visible character."""
    return (LONG_AND_WIDE * length)[: length - 1] + "x"


def assert_invalid(answer: httpx.Response, *fields: str) -> None:
    """Check that a response refuses just these fields."""
    said = assert_refused(answer, 400, "INVALID_REQUEST")
    assert [detail["field"] for detail in said["details"]] == list(fields), said
