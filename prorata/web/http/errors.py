"""Refusals as responses: `{error, code, status}`, with `details` for several problems."""

import structlog

from prorata.errors import (
    Conflict,
    MethodNotAllowed,
    OutcomeUnknown,
    RateLimited,
    Refusal,
    StillAtWork,
    Unauthorized,
    Unavailable,
)
from prorata.store.database.engine import Duplicate
from prorata.web.http.encoding import encode
from prorata.web.http.response_schemas import Detail, Error

_log = structlog.get_logger("prorata.web")
Headers = list[tuple[bytes, bytes]]


def about(body: bytes, media: str = "application/json") -> Headers:
    """Build the headers that describe a body: its media type and length."""
    return [(b"content-type", media.encode()), (b"content-length", b"%d" % len(body))]


def error_body(refusal: Refusal) -> bytes:
    """Build the JSON body of a refusal."""
    error = Error(error=refusal.message, code=refusal.code, status=refusal.status)
    if refusal.problems:
        error.details = [Detail(field=problem.field, message=problem.message) for problem in refusal.problems]
    return encode(error)


def error_headers(refusal: Refusal) -> Headers:
    """Build the headers of a refusal's response (docs/decisions.md#error-codes)."""
    match refusal:
        case Unauthorized():
            return [(b"www-authenticate", b"Bearer")]
        case MethodNotAllowed():
            return [(b"allow", ", ".join(refusal.allowed).encode())]
        case OutcomeUnknown():
            return []  # an automatic retry would pay twice
        case Unavailable() | RateLimited() | StillAtWork():
            return [(b"retry-after", b"%d" % refusal.retry_after)]
        case _:
            return []


class Broken(Refusal):
    """The refusal that a client receives if an internal error occurred."""

    def __init__(self) -> None:
        super().__init__("Something went wrong on our side. It has been logged under this response's X-Request-Id.")


def as_refusal(failed: Exception) -> Refusal:
    """Convert an exception to the refusal that the client receives.

    Unexpected exceptions are logged with their traceback.
    """
    if isinstance(failed, Refusal):
        if failed.__cause__ is not None:
            _log.warning("refused for a fault outside", code=failed.code, cause=_named(failed.__cause__))
        return failed
    match failed:
        case Duplicate():
            return Conflict(
                "Someone else just created the same record. Load the current records, then try again if you still "
                "need to."
            )
        case _:
            _log.error("unexpected failure", exc_info=failed)
            return Broken()


def _named(cause: BaseException) -> str:
    """Return the class name and code of a database error, for the log.

    The error's message isn't logged, because it may contain data.
    """
    code = getattr(cause, "sqlite_errorname", None) or getattr(cause, "sqlstate", None)
    return f"{type(cause).__name__} {code}" if code else type(cause).__name__
