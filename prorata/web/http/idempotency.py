"""Idempotency-Key: a POST that is repeated with the same key gets the first response.

The work isn't done twice. Key, hash and response are written in the work's own transaction, so a crash leaves no
partial state (docs/decisions.md#idempotency-keys). A repeat that arrives during the first request waits for it, up
to `LONGEST_IDEMPOTENT_WAIT` seconds.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from hashlib import sha256
from typing import NamedTuple

import msgspec

from prorata.actions.limits import ANSWERS_KEPT
from prorata.errors import Conflict, InvalidRequest, NotFound, StillAtWork
from prorata.store.database import idempotency
from prorata.store.database.engine import Tx, Waited, timestamp
from prorata.store.database.idempotency import AnswerRow
from prorata.web.http.errors import error_body
from prorata.web.http.limits import LONGEST_IDEMPOTENCY_KEY, LONGEST_IDEMPOTENT_WAIT, LONGEST_NUMBER

KEY_PATTERN = "^[!-~]([ -~]*[!-~])?$"
_NOT_ANSWERED = 0


class Answer(NamedTuple):
    """The status and the JSON body of a response.

    `replayed` means that the response was stored by an earlier request. If the body contains a secret, `kept` is
    stored instead of the body. If the body lacks a part of the changed record, `tag` is the record's entity tag.
    """

    status: int
    body: bytes
    replayed: bool = False
    kept: bytes | None = None
    tag: str | None = None


def read_key(header: str | None) -> str | None:
    """Check the value of an Idempotency-Key header, and return the key.

    Raises `InvalidRequest` if the key is empty, too long, or not plain text.
    """
    if header is None:
        return None
    if len(header) > LONGEST_IDEMPOTENCY_KEY or not re.fullmatch(KEY_PATTERN, header):
        raise InvalidRequest(
            f"The Idempotency-Key header must have 1 to {LONGEST_IDEMPOTENCY_KEY} printable ASCII characters."
        )
    return header


class Hashes(NamedTuple):
    """Hashes of a request's method, path and body, by which a repeated request is recognized.

    `said` is computed from the parsed body, so it is the same for equal content. `sent` is computed from the body's
    bytes; it only serves to find responses that were stored before 27 November 2026.
    """

    said: str
    sent: str


def _exact(text: str) -> int | str:
    """Convert a decimal number to a value that is the same for equal numbers.

    The number is given as text. For whole numbers, such as 850 and 850.0, the value is an integer. For other
    numbers, the value is the exact number as text without trailing zeros. The text begins with a NUL, so that no
    text in a body can equal it.
    """
    is_zero = not any(digit in "123456789" for digit in text.lower().partition("e")[0])
    number = Decimal(0) if is_zero else Decimal(text).normalize(_ALL_DIGITS)
    is_short = number.adjusted() < LONGEST_NUMBER  # no body has a longer whole number to be equal to
    return int(number) if is_short and number == number.to_integral_value() else f"\0{number}"


_ALL_DIGITS = Context(prec=LONGEST_NUMBER, Emax=MAX_EMAX, Emin=MIN_EMIN)
_EXACTLY: msgspec.json.Decoder[object] = msgspec.json.Decoder(float_hook=_exact)


def hashes_of(method: str, path: str, body: bytes) -> Hashes:
    """Compute the hashes of a request, whose body is JSON or empty.

    An empty body is the same as an empty object. Equal content gives the same `said`, whatever the spaces, the
    order of names and trailing zeros; `sent` may differ.

    >>> one, other = (hashes_of("POST", "/x", body) for body in (b'{"a": 1, "b": 2}', b'{"b":2,"a":1}'))
    >>> one.said == other.said, one.sent == other.sent
    (True, False)
    >>> one, two, other = (hashes_of("POST", "/x", b'{"a": 850.12345678901234%s}' % end) for end in (b"", b"0", b"1"))
    >>> one.said == two.said, one.said == other.said
    (True, False)
    >>> whole = {hashes_of("POST", "/x", b'{"a": %s}' % a).said for a in (b"850", b"850.0", b"8.5e2", b"85000E-2")}
    >>> empty = {hashes_of("POST", "/x", body).said for body in (b"", b" ", b"{}", b"{ }")}
    >>> len(whole), len(empty)
    (1, 1)
    >>> huge = {hashes_of("POST", "/x", b'{"a": %s}' % a).said for a in (b"1e99999999", b"10e99999998", b"1e-99999999")}
    >>> len(huge)
    2
    """
    content = msgspec.json.encode(_EXACTLY.decode(body if body.strip() else b"{}"), order="sorted")
    return Hashes(*(sha256(b"\0".join((method.encode(), path.encode(), part))).hexdigest() for part in (content, body)))


def answer_once(tx: Tx, account_id: str, key: str, hashes: Hashes, work: Callable[[], Answer]) -> Answer:
    """Do `work` and store its response under `key`, or return the response stored earlier.

    Raises `Conflict` if the key belongs to another request. Refusals that depend on stored records (404, 409) are
    stored like responses, and the work's writes are undone. Any other refusal is raised and not stored, so that the
    key can be used again.
    """
    mine = AnswerRow(account_id, key, hashes.said, _NOT_ANSWERED, "", tx.now)
    idempotency.forget_key(tx, account_id, key, before=timestamp(tx.moment - ANSWERS_KEPT))
    try:
        with tx.waiting_at_most(LONGEST_IDEMPOTENT_WAIT):
            claimed = idempotency.claim(tx, mine)
    except Waited:
        raise _still_at_work() from None
    if not claimed:
        return _stored(tx, account_id, key, hashes)
    try:
        with tx.savepoint():
            answer = work()
    except (NotFound, Conflict) as refusal:
        answer = Answer(refusal.status, error_body(refusal))
    kept = answer.body if answer.kept is None else answer.kept
    idempotency.answer(tx, account_id, key, answer.status, kept.decode())
    return answer


def _stored(tx: Tx, account_id: str, key: str, hashes: Hashes) -> Answer:
    stored = idempotency.find(tx, account_id, key)
    assert stored is not None, "a key that is taken is there"
    if stored.request_hash not in hashes:
        raise Conflict(
            "This Idempotency-Key was already used with another path or a different body. Use a new key for each new "
            "request."
        )
    return Answer(stored.status, stored.body.encode(), replayed=True)


class InFlight:
    """The idempotency keys of the requests that this process is handling.

    A repeated request waits, without holding a thread, until the first request with the key is done.
    """

    def __init__(self, patience: float = LONGEST_IDEMPOTENT_WAIT) -> None:
        self._patience = patience
        self._done: dict[tuple[str, str], asyncio.Event] = {}

    @asynccontextmanager
    async def alone(self, account_id: str, key: str) -> AsyncIterator[None]:
        """Hold an idempotency key during the block, so that no other request uses it.

        Only requests to this process are kept out. Raises `Conflict` if an earlier request with the key takes too
        long.
        """
        name = (account_id, key)
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._patience
        while (before := self._done.get(name)) is not None:
            try:
                await asyncio.wait_for(before.wait(), max(0, deadline - loop.time()))
            except TimeoutError:
                raise _still_at_work() from None
        done = self._done[name] = asyncio.Event()
        try:
            yield
        finally:
            del self._done[name]
            done.set()


def _still_at_work() -> StillAtWork:
    return StillAtWork("The first request with this Idempotency-Key is still in progress. Try again in a few seconds.")
