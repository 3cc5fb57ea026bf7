"""The continuation of a list from one answer to the next."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, Literal, Self, TypeVar, cast

Item = TypeVar("Item")
Answer = TypeVar("Answer")
Query = dict[str, Any]
MOST_ON_A_PAGE = 100


@dataclass(frozen=True)
class Listing:
    """The way in which a list continues, and the parameter by which it does.

    It continues by the `next` of each answer (`cursor`, `next`), in pages, or by the number of the last record. With a
    parameter of `paged`, a list with cursors is read in pages.
    """

    walk: Literal["cursor", "page", "next", "number"]
    by: str
    limit: int
    paged: tuple[str, ...] = ()

    def first(self, query: Query) -> Query:
        """Build the query of the first request."""
        if any(name in query for name in self.paged):
            return {"limit": MOST_ON_A_PAGE} | query | {"page": 1}
        begin: Query = {"limit": self.limit}
        if self.walk in {"cursor", "page"}:
            begin[self.by] = "start" if self.walk == "cursor" else 1
        return begin | query

    def then(self, query: Query, answer: Any) -> Query | None:
        """Build the query that continues after an answer; return None at the end."""
        if "page" in query:
            page: int = query["page"]
            return query | {"page": page + 1} if page < answer["pagination"]["totalPages"] else None
        if self.walk == "number":
            place = answer["data"][-1]["sequence"] if answer["hasMore"] and answer["data"] else None
        else:
            place = answer.get("next")
        return None if place is None else query | {self.by: place}


class _Reading(Generic[Answer]):
    """The state of reading a list."""

    def __init__(self, query: Query, listing: Listing) -> None:
        self._listing = listing
        self._behind: Query | None = listing.first({name: one for name, one in query.items() if one is not None})
        self._answer: Answer | None = None

    def _took(self, answer: Answer) -> list[Any]:
        assert self._behind is not None, "there was more to ask for"
        self._answer, self._behind = answer, self._listing.then(self._behind, answer)
        return self._data

    @property
    def _data(self) -> list[Any]:
        return cast(Any, self._answer)["data"] if self._answer is not None else []


class Records(_Reading[Answer], Iterator[Item], Generic[Item, Answer]):
    """The records of a list, fetched on demand."""

    def __init__(self, ask: Callable[[Query], Answer], query: Query, listing: Listing) -> None:
        super().__init__(query, listing)
        self._ask = ask
        self._records = self._each()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Item:
        return next(self._records)

    def answer(self) -> Answer:
        """Return the latest answer, with values beside its records, such as `next`.

        The first answer is requested if necessary.
        """
        if self._answer is None:
            assert self._behind is not None, "nothing was asked yet"
            self._took(self._ask(self._behind))
        assert self._answer is not None, "it was just asked for"
        return self._answer

    def _each(self) -> Iterator[Item]:
        self.answer()
        yield from self._data
        while self._behind is not None:
            yield from self._took(self._ask(self._behind))


class AsyncRecords(_Reading[Answer], AsyncIterator[Item], Generic[Item, Answer]):
    """The records of a list for asyncio, fetched on demand."""

    def __init__(self, ask: Callable[[Query], Awaitable[Answer]], query: Query, listing: Listing) -> None:
        super().__init__(query, listing)
        self._ask = ask
        self._records = self._each()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Item:
        return await anext(self._records)

    async def answer(self) -> Answer:
        """Return the latest answer, with values beside its records, such as `next`.

        The first answer is requested if necessary.
        """
        if self._answer is None:
            assert self._behind is not None, "nothing was asked yet"
            self._took(await self._ask(self._behind))
        assert self._answer is not None, "it was just asked for"
        return self._answer

    async def _each(self) -> AsyncIterator[Item]:
        await self.answer()
        for one in self._data:
            yield one
        while self._behind is not None:
            for one in self._took(await self._ask(self._behind)):
                yield one
