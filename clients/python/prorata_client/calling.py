"""Calls of operations: requests and answers, for sync and async programs.

The generated operations are built on top of this module.
"""

import asyncio
import json
import time
import uuid
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Self
from urllib.parse import quote

import httpx

from prorata_client.errors import Refused, Unreachable
from prorata_client.listing import AsyncRecords, Listing, Records
from prorata_client.retries import Attempts, Retries

__all__ = ["AsyncCaller", "AsyncRecords", "Caller", "Listing", "Records"]
_NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


class _Calls:
    """The common part of both kinds of caller: everything except waiting."""

    def __init__(self, address: str, key: str, retries: Retries) -> None:
        base = address.rstrip("/")
        self.base = base if base.endswith("/api/v1") else base + "/api/v1"
        self.retries = retries
        self.headers = {"Authorization": f"Bearer {key}", "User-Agent": "prorata-client-python"}

    @staticmethod
    def quoted(part: object) -> str:
        """Quote a part of a path."""
        return quote(str(part), safe="")

    @staticmethod
    def new_key() -> str:
        """Make an Idempotency-Key for one request and its repeats."""
        return str(uuid.uuid4())

    def _request(
        self, method: str, path: str, query: Mapping[str, Any] | None, body: Any, form: Any, headers: Mapping[str, str]
    ) -> httpx.Request:
        params = {name: _in_query(value) for name, value in (query or {}).items() if value is not None}
        said: dict[str, Any] = {}
        if form is not None:
            said = _form(form)
        elif body is not None:
            said = {"content": json.dumps(body, default=_plain).encode()}
            headers = {**headers, "Content-Type": "application/json"}
        return httpx.Request(method, self.base + path, params=params, headers=self.headers | dict(headers), **said)

    def _attempts(self, request: httpx.Request) -> Attempts:
        is_once = request.method != "POST" or "Idempotency-Key" in request.headers
        return Attempts(self.retries, is_once and "If-Match" not in request.headers)


def _headers(idempotency_key: str | None, if_match: str | None) -> dict[str, str]:
    both = {"Idempotency-Key": idempotency_key, "If-Match": if_match}
    return {name: value for name, value in both.items() if value is not None}


def _in_query(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _plain(value: object) -> float:
    if isinstance(value, Decimal):
        return float(value)
    raise TypeError(f"JSON has no {type(value).__name__}")


def _form(body: Mapping[str, Any]) -> dict[str, Any]:
    files: list[tuple[str, tuple[str, bytes]]] = []
    data: dict[str, str | list[str]] = {}
    for name, value in body.items():
        many = value if isinstance(value, list) else [value]
        contents = [one for one in many if isinstance(one, bytes | tuple)]
        files += [(name, one if isinstance(one, tuple) else (name, one)) for one in contents]
        if not contents and value is not None:
            data[name] = [_in_query(one) for one in many]
    return {"files": files, "data": data}


def _json(answer: httpx.Response) -> Any:
    return json.loads(answer.content, parse_float=Decimal) if answer.content else None


def _taken(answer: httpx.Response) -> httpx.Response:
    """Return a successful answer; raise `Refused` if it is an error or a redirect."""
    if answer.is_success:
        return answer
    try:
        said = answer.json()
    except ValueError:
        said = {}
    raise Refused(answer.status_code, said if isinstance(said, dict) else {}, answer.headers)


def _lost(failed: httpx.TransportError) -> Unreachable:
    return Unreachable(f"{type(failed).__name__}: {failed}")


class Caller(_Calls):
    """A caller of operations that waits for each answer.

    A `with` block closes its connections.
    """

    def __init__(
        self, address: str, key: str, *, retries: Retries | None = None, http: httpx.Client | None = None
    ) -> None:
        super().__init__(address, key, retries or Retries())
        self.http = http or httpx.Client(timeout=60)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self.http.close()

    def exchange(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        form: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        """Send any request, again if that is safe, and return the answer with its headers.

        Raises `Refused` for an error answer, and `Unreachable` if no answer comes.
        """
        request = self._request(method, path, query, body, form, headers or {})
        request.read()
        attempts = self._attempts(request)
        while True:
            try:
                answer = self.http.send(request)
                wait = attempts.seconds_after(answer.status_code, answer.headers)
                if wait is None:
                    return _taken(answer)
            except httpx.TransportError as failed:
                wait = attempts.seconds_after_loss(was_sent=not isinstance(failed, _NOT_SENT))
                if wait is None:
                    raise _lost(failed) from failed
            time.sleep(wait)

    def call(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        form: Any = None,
        idempotency_key: str | None = None,
        if_match: str | None = None,
    ) -> Any:
        """Call an operation and return its answer, read from JSON."""
        headers = _headers(idempotency_key, if_match)
        return _json(self.exchange(method, path, query=query, body=body, form=form, headers=headers))

    def content(self, method: str, path: str, *, query: Mapping[str, Any] | None = None) -> bytes:
        """Call an operation that answers with a file, and return its content."""
        return self.exchange(method, path, query=query).content

    def each(self, path: str, query: dict[str, Any], listing: Listing) -> Records[Any, Any]:
        """Return the records of a list, fetched on demand."""
        return Records(lambda at: self.call("GET", path, query=at), query, listing)


class AsyncCaller(_Calls):
    """A caller of operations from asyncio.

    An `async with` block closes its connections.
    """

    def __init__(
        self, address: str, key: str, *, retries: Retries | None = None, http: httpx.AsyncClient | None = None
    ) -> None:
        super().__init__(address, key, retries or Retries())
        self.http = http or httpx.AsyncClient(timeout=60)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self.http.aclose()

    async def exchange(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        form: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        """Send any request, again if that is safe, and return the answer with its headers.

        Raises `Refused` for an error answer, and `Unreachable` if no answer comes.
        """
        request = self._request(method, path, query, body, form, headers or {})
        request.read()
        attempts = self._attempts(request)
        while True:
            try:
                answer = await self.http.send(request)
                wait = attempts.seconds_after(answer.status_code, answer.headers)
                if wait is None:
                    return _taken(answer)
            except httpx.TransportError as failed:
                wait = attempts.seconds_after_loss(was_sent=not isinstance(failed, _NOT_SENT))
                if wait is None:
                    raise _lost(failed) from failed
            await asyncio.sleep(wait)

    async def call(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        form: Any = None,
        idempotency_key: str | None = None,
        if_match: str | None = None,
    ) -> Any:
        """Call an operation and return its answer, read from JSON."""
        headers = _headers(idempotency_key, if_match)
        return _json(await self.exchange(method, path, query=query, body=body, form=form, headers=headers))

    async def content(self, method: str, path: str, *, query: Mapping[str, Any] | None = None) -> bytes:
        """Call an operation that answers with a file, and return its content."""
        return (await self.exchange(method, path, query=query)).content

    def each(self, path: str, query: dict[str, Any], listing: Listing) -> AsyncRecords[Any, Any]:
        """Return the records of a list, fetched on demand."""
        return AsyncRecords(lambda at: self.call("GET", path, query=at), query, listing)
