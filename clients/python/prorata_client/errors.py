"""The exceptions of failed calls."""

from collections.abc import Mapping
from typing import Any


class ProrataError(Exception):
    """Any error that the client itself raises."""


class Refused(ProrataError):
    """An error answer.

    It has a `status`, a `code` for programs, a `message` for people, and `details`.
    """

    def __init__(self, status: int, said: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        self.status = status
        self.code: str = said.get("code", "")
        self.message: str = said.get("error", f"The answer was {status}.")
        self.details: list[dict[str, str]] = said.get("details", [])
        self.request_id: str | None = headers.get("x-request-id")
        super().__init__(f"{status} {self.code}: {self.message}")


class Unreachable(ProrataError):
    """The failure of all attempts to get an answer.

    A write may or may not have been done.
    """


class NotFromProrata(ProrataError):
    """A message that lacks the webhook's signature, or that is too old."""
