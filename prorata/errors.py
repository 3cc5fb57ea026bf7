"""The tree of expected refusals, each of which becomes `{error, code, status}`.

    Refusal
    ├── InvalidRequest        400  INVALID_REQUEST
    │   └── MalformedJson     400  MALFORMED_JSON
    ├── Unauthorized          401  UNAUTHORIZED
    ├── Forbidden             403  INSUFFICIENT_PERMISSIONS
    │   └── ScopeMissing      403  INSUFFICIENT_SCOPE
    ├── NotFound              404  NOT_FOUND, or the record's own code (PROPERTY_NOT_FOUND, …)
    ├── MethodNotAllowed      405  METHOD_NOT_ALLOWED
    ├── Conflict              409  CONFLICT
    │   ├── StillAtWork       409  CONFLICT
    │   ├── ChangedMeanwhile  409  CONFLICT
    │   └── DiffersMeanwhile  409  CONFLICT
    ├── EventsGone            410  EVENTS_GONE
    ├── PreconditionFailed    412  PRECONDITION_FAILED
    ├── PayloadTooLarge       413  PAYLOAD_TOO_LARGE
    ├── UnsupportedMediaType  415  UNSUPPORTED_MEDIA_TYPE
    ├── RateLimited           429  RATE_LIMIT_EXCEEDED
    └── Unavailable           503  SERVICE_UNAVAILABLE
        └── OutcomeUnknown    503  OUTCOME_UNKNOWN

Any other error is a bug: 500, INTERNAL_ERROR (docs/decisions.md#error-codes).
"""

from collections.abc import Sequence
from typing import ClassVar, Self

from prorata.domain.problems import Problem
from prorata.domain.texts import say


class Refusal(Exception):
    """An expected refusal of a request.

    `message` tells a person what to do. `problems` lists each invalid field with its own message.
    """

    status: ClassVar[int] = 500
    code: str = "INTERNAL_ERROR"

    def __init__(self, message: str, *, problems: Sequence[Problem] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.problems = tuple(problems)

    def placed(self, where: str, field: str) -> Self:
        """Name the part of the request that the refusal is about, and return the refusal.

        `where` is put before the refusal's message, and `field` before the field of each problem.
        """
        self.problems = tuple(
            Problem(f"{field}.body.{problem.field}", problem.message) for problem in self.problems
        ) or (Problem(field, self.message),)
        self.message = f"{where}: {self.message}"
        return self


class InvalidRequest(Refusal):
    """A body, query or path that fails validation."""

    status = 400
    code = "INVALID_REQUEST"

    @classmethod
    def because(cls, problems: Sequence[Problem]) -> "InvalidRequest":
        """Build the refusal for all these problems; its message is about the first one."""
        return cls(problems[0].message, problems=problems)


class MalformedJson(InvalidRequest):
    """A body that is not JSON as defined by RFC 8259 and docs/decisions.md#request-bodies."""

    code = "MALFORMED_JSON"


class Unauthorized(Refusal):
    """A missing or invalid API key."""

    status = 401
    code = "UNAUTHORIZED"


class Forbidden(Refusal):
    """A key without the needed permission."""

    status = 403
    code = "INSUFFICIENT_PERMISSIONS"


class ScopeMissing(Forbidden):
    """A key that has the needed permission, but lacks the scope for the requested records."""

    code = "INSUFFICIENT_SCOPE"

    def __init__(self, scope: str) -> None:
        super().__init__(f"This API key lacks the scope {scope}. Create one that has it.")


class NotFound(Refusal):
    """A record that does not exist or belongs to another account.

    Both cases get the same answer. The answer's message says that there is no `noun` with this id; `by` replaces the
    word "id", and `said` replaces the whole message.
    """

    status = 404
    code = "NOT_FOUND"

    def __init__(self, noun: str | None = None, by: str = "id", said: str = "") -> None:
        if noun is None:
            super().__init__("There is nothing at this address. Check the path against the API reference at /docs.")
        else:
            super().__init__(said or f"There is no {noun} with this {by}.")
            self.code = noun.upper().replace(" ", "_") + "_NOT_FOUND"


class MethodNotAllowed(Refusal):
    """A path that exists, but not for the requested method."""

    status = 405
    code = "METHOD_NOT_ALLOWED"

    def __init__(self, allowed: Sequence[str]) -> None:
        super().__init__(
            say("This address doesn’t support that method. It supports: {names}.", names=", ".join(allowed))
        )
        self.allowed = tuple(allowed)


class Conflict(Refusal):
    """A well-formed request that does not fit the stored data."""

    status = 409
    code = "CONFLICT"


class StillAtWork(Conflict):
    """A repeated request whose first copy is still running.

    `retry_after` is in whole seconds.
    """

    retry_after = 2


class ChangedMeanwhile(Conflict):
    """A form whose record somebody else has changed since the form was opened."""

    def __init__(self) -> None:
        super().__init__(
            say(
                "Somebody has saved this in the meantime, so your changes have not been saved yet. The current value "
                "is shown below each of your entries that differs. Correct what should be kept, then save again."
            )
        )


class DiffersMeanwhile(Conflict):
    """An import whose differences from the stored records have changed since a person saw them."""

    def __init__(self) -> None:
        super().__init__(
            say("Something here has changed in the meantime. Nothing has been done yet: review the differences first.")
        )


class EventsGone(Refusal):
    """A request for events, some of which have already been deleted.

    Reading on would skip the deleted events.
    """

    status = 410
    code = "EVENTS_GONE"


class PreconditionFailed(Refusal):
    """An If-Match header that names a different version of the record than the stored one."""

    status = 412
    code = "PRECONDITION_FAILED"


class PayloadTooLarge(Refusal):
    """A request body that is larger than its limit."""

    status = 413
    code = "PAYLOAD_TOO_LARGE"


class UnsupportedMediaType(Refusal):
    """A body that is not declared as JSON."""

    status = 415
    code = "UNSUPPORTED_MEDIA_TYPE"


class RateLimited(Refusal):
    """More requests than the limits allow.

    `retry_after` is in whole seconds.
    """

    status = 429
    code = "RATE_LIMIT_EXCEEDED"

    def __init__(self, message: str, *, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Unavailable(Refusal):
    """An unavailable database, disk or rate limiter, or a write that waited too long.

    `retry_after` is in whole seconds.
    """

    status = 503
    code = "SERVICE_UNAVAILABLE"

    def __init__(self, message: str, *, retry_after: int = 5) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class OutcomeUnknown(Unavailable):
    """A commit whose outcome is unknown, because the connection to the database was lost.

    The commit may have succeeded, so the answer does not suggest another try.
    """

    code = "OUTCOME_UNKNOWN"
