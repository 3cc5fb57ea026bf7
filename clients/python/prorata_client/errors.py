"""What goes wrong, as exceptions."""

from collections.abc import Mapping
from typing import Any


class ProrataError(Exception):
    """Anything that this client raises by itself."""


class Refused(ProrataError):
    """An answer that is an error: its `status`, its `code` for programs, its sentence for people, its `details`."""

    def __init__(self, status: int, said: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        self.status = status
        self.code: str = said.get("code", "")
        self.message: str = said.get("error", f"The answer was {status}.")
        self.details: list[dict[str, str]] = said.get("details", [])
        self.request_id: str | None = headers.get("x-request-id")
        super().__init__(f"{status} {self.code}: {self.message}")


class Unreachable(ProrataError):
    """No answer came, however often it was tried. A write may have been done or not."""


class NotFromProrata(ProrataError):
    """A message that is not signed with the webhook's secret, or is too old."""
