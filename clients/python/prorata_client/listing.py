"""Reading a list on, from one answer to the next."""

from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True)
class Listing:
    """By which parameter a list is read on, and how: by the `next` of each answer (`cursor`, `next`), in pages, or by
    the number of the last record.
    """

    walk: Literal["cursor", "page", "next", "number"]
    by: str
    limit: int

    def first(self, query: dict[str, Any]) -> dict[str, Any]:
        """The query of the first request."""
        begin: dict[str, Any] = {"limit": self.limit} | query
        if self.walk in {"cursor", "page"}:
            begin[self.by] = "start" if self.walk == "cursor" else 1
        return begin

    def then(self, query: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any] | None:
        """The query of the request behind an answer; None at the end."""
        match self.walk:
            case "cursor" | "next":
                place = answer.get("next")
            case "page":
                place = query[self.by] + 1 if query[self.by] < answer["pagination"]["totalPages"] else None
            case "number":
                place = answer["data"][-1]["sequence"] if answer["hasMore"] and answer["data"] else None
        return None if place is None else query | {self.by: place}
