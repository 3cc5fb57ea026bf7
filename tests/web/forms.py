"""The forms of values that the API answers with."""

import re

import httpx

from prorata.ids import is_id
from tests.web.addresses import assert_refused

_TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
LONG_AND_WIDE = "Ä🏠 "
"""Repeated it is text whose characters are one, two and four bytes of UTF-8."""


def is_timestamp(value: object) -> bool:
    """UTC with milliseconds: `2026-03-01T00:00:00.000Z`."""
    return isinstance(value, str) and _TIMESTAMP.fullmatch(value) is not None


def has_prefix(value: object, prefix: str) -> bool:
    """An id of that kind."""
    return isinstance(value, str) and is_id(value, prefix)


def text_of(length: int) -> str:
    """Text of so many characters that begins and ends with a visible one."""
    return (LONG_AND_WIDE * length)[: length - 1] + "x"


def assert_invalid(answer: httpx.Response, *fields: str) -> None:
    """Refused for just these fields."""
    said = assert_refused(answer, 400, "INVALID_REQUEST")
    assert [detail["field"] for detail in said["details"]] == list(fields), said
